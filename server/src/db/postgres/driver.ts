import type { Writable } from 'node:stream'
import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { noteDatabaseError } from '../errors-seen.ts'
import { isWriteBehind } from '../write-behind.ts'
import { type Hosts, isLost } from './hosts.ts'
import type { Statements } from './statements.ts'

/**
 * How long a transaction waits for a lock before its work is done again: PostgreSQL itself looks for a deadlock after a second
 * only. Drawn anew each time, so that of two that wait for each other one gives way and the other goes on.
 */
const lockTimeoutMs = () => Math.round(100 + 100 * Math.random())

/** A read outside of a transaction is given up after this time, and so is a statement inside of one. */
const readTimeoutMs = 30_000
/** Set in each transaction, not for the session: behind a pooler a session is somebody else's the next time. */
const statementTimeouts = `set local statement_timeout = ${readTimeoutMs}; set local idle_in_transaction_session_timeout = ${readTimeoutMs}`

/** pg knows this field, but its types do not. */
export const withTimeout = (query: pg.QueryConfig): pg.QueryConfig =>
  Object.assign(query, { query_timeout: readTimeoutMs })

const isSelect = ({ sql }: CompiledQuery) => /^\s*select\b/i.test(sql)
const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** pg does not tell of its socket in its types. */
const streamOf = (client: pg.PoolClient): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream

/** A pooled connection, which may be sent several statements of a transaction before the first is answered. */
class Session implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #statements: Statements
  readonly #hosts: Hosts
  /** Resolved outside of a transaction. */
  #begun: Promise<unknown> = Promise.resolve()
  #isOpen = false
  #isBroken = false
  /** True while statements wait to leave with the next one that is waited for. */
  #isHeld = false
  #unanswered: Promise<unknown>[] = []

  constructor(client: pg.PoolClient, statements: Statements, hosts: Hosts) {
    this.#client = client
    this.#statements = statements
    this.#hosts = hosts
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOpen) {
      // A write could be committed by itself if the transaction did not begin.
      if (!isSelect(query)) {
        this.#release()
        await this.#begun
      }
      if (isWriteBehind(query)) {
        this.#hold()
        this.#sendAhead(this.#query(query))
        return { rows: [] }
      }
    }
    try {
      const sent = this.#query(query)
      this.#release()
      const { command, rowCount, rows } = await sent
      return changes.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    } catch (error) {
      throw (await this.#firstFailure()) ?? error
    }
  }

  begin(sql: string): void {
    this.#hold()
    this.#begun = this.#client.query(sql)
    this.#sendAhead(this.#begun)
    this.#isOpen = true
  }

  /** What failed before the commit makes it a rollback. */
  async commit(): Promise<void> {
    this.#isOpen = false
    const committed = this.#client.query('commit')
    this.#release()
    this.#sendAhead(committed)
    const failure = await this.#firstFailure()
    if (failure !== undefined) throw failure
    if ((await committed).command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#isOpen = false
    this.#release()
    await this.#firstFailure()
    try {
      await this.#client.query('rollback')
    } catch (error) {
      this.#isBroken = true
      throw error
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  // biome-ignore lint/correctness/useYield: cursors and pipelining exclude each other.
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('PostgreSQL is read in pages here, not by cursors.')
  }

  async #query({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    try {
      const query = this.#statements.named(sql, parameters)
      // Inside of a transaction the server ends a statement that takes too long.
      return await this.#client.query(this.#isOpen ? query : withTimeout(query))
    } catch (error) {
      this.#statements.refuse(sql, error)
      noteDatabaseError(error)
      if (isLost(this.#hosts, this.#client, error)) this.#isBroken = true
      throw error
    }
  }

  /** One packet with several statements costs the client and the server less than one for each. */
  #hold(): void {
    if (!this.#isHeld) streamOf(this.#client).cork()
    this.#isHeld = true
  }

  #release(): void {
    if (this.#isHeld) streamOf(this.#client).uncork()
    this.#isHeld = false
  }

  #sendAhead(sent: Promise<unknown>): void {
    sent.catch(() => {}) // thrown by the statements that follow, or by the commit
    this.#unanswered.push(sent)
  }

  async #firstFailure(): Promise<unknown> {
    const outcomes = await Promise.allSettled(this.#unanswered.splice(0))
    return outcomes.find((outcome) => outcome.status === 'rejected')?.reason
  }
}

/** Begins every transaction with a lock timeout, and sends its statements as early as their order allows. */
export class PipeliningDriver implements Driver {
  readonly #connect: () => Promise<pg.PoolClient>
  readonly #end: () => Promise<void>
  readonly #statements: Statements
  readonly #hosts: Hosts

  constructor(connect: () => Promise<pg.PoolClient>, end: () => Promise<void>, statements: Statements, hosts: Hosts) {
    this.#connect = connect
    this.#end = end
    this.#statements = statements
    this.#hosts = hosts
  }

  async init(): Promise<void> {}
  async acquireConnection(): Promise<Session> {
    return new Session(await this.#connect(), this.#statements, this.#hosts)
  }
  async beginTransaction(session: Session, { isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
    const timeouts = `set local lock_timeout = ${lockTimeoutMs()}; ${statementTimeouts}`
    session.begin(`begin${isolation} ${accessMode ?? ''}; ${timeouts}`)
  }
  commitTransaction(session: Session): Promise<void> {
    return session.commit()
  }
  rollbackTransaction(session: Session): Promise<void> {
    return session.rollback()
  }
  async savepoint(session: Session, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }
  async rollbackToSavepoint(session: Session, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`rollback to savepoint "${name}"`))
  }
  async releaseSavepoint(session: Session, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`release savepoint "${name}"`))
  }
  async releaseConnection(session: Session): Promise<void> {
    session.release()
  }
  destroy(): Promise<void> {
    return this.#end()
  }
}

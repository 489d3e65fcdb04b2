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
import { noteSession, type Session } from '../running.ts'
import { isWriteBehind } from '../write-behind.ts'
import { type Hosts, isLost } from './hosts.ts'
import { isStaleStatement, type Statements } from './statements.ts'
import { atOnceMs, type Timeouts, withTimeout } from './timeouts.ts'

/** How long after the server's own timeout for a statement its connection counts as dead. */
const graceMs = 3_000

/**
 * Set in each transaction, not for the session: behind a pooler a session is somebody else's the next time. PostgreSQL itself
 * looks for a deadlock after a second only. The time is drawn for each transaction, so that of two that wait for each other one
 * gives way and the other goes on.
 */
function timeoutsOf({ lockMs, statementMs, idleMs }: Timeouts): string {
  const drawnMs = Math.round(lockMs * (1 + Math.random()))
  return `set local lock_timeout = ${drawnMs}; set local statement_timeout = ${statementMs}; set local idle_in_transaction_session_timeout = ${idleMs}`
}

/** Work that takes its time says so to the server with these words. */
const isLifting = ({ sql }: CompiledQuery) => sql === 'set local statement_timeout = 0'

const isSelect = ({ sql }: CompiledQuery) => /^\s*select\b/i.test(sql)
const changes = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** pg does not tell of its socket in its types. */
const streamOf = (client: pg.PoolClient): Writable =>
  (client as unknown as { connection: { stream: Writable } }).connection.stream

/** A pooled connection, which may be sent several statements of a transaction before the first is answered. */
class PipelinedSession implements DatabaseConnection, Session {
  readonly #client: pg.PoolClient
  readonly #statements: Statements
  readonly #hosts: Hosts
  /** Resolved outside of a transaction. */
  #begun: Promise<unknown> = Promise.resolve()
  /** True once a write knows that the transaction has begun: those after it need not wait, nor send what is held. */
  #hasBegun = false
  #isOpen = false
  #isBroken = false
  #isUnlimited = false
  /** True while statements wait to leave with the next one that is waited for. */
  #isHeld = false
  #unanswered: Promise<unknown>[] = []

  constructor(client: pg.PoolClient, statements: Statements, hosts: Hosts) {
    this.#client = client
    this.#statements = statements
    this.#hosts = hosts
  }

  run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return this.executeQuery(query)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#isOpen) {
      // A write could be committed by itself if the transaction did not begin.
      if (!this.#hasBegun && !isSelect(query)) {
        this.#release()
        await this.#begun
        this.#hasBegun = true
      }
      if (isWriteBehind(query)) {
        this.#hold()
        this.#sendAhead(this.#query(query))
        return { rows: [] }
      }
    }
    try {
      this.#hold()
      const sent = this.#query(query)
      process.nextTick(() => this.#release()) // with what else is sent before the answer
      const { command, rowCount, rows } = await sent
      return changes.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows }
    } catch (error) {
      throw (await this.#firstFailure()) ?? error
    }
  }

  begin(mode: string): void {
    this.#hold()
    const { timeouts } = this.#hosts
    this.#begun = this.#send(`begin${mode}; ${timeoutsOf(timeouts)}`, atOnceMs(timeouts))
    this.#sendAhead(this.#begun)
    this.#isOpen = true
    this.#hasBegun = false
    this.#isUnlimited = false
  }

  /**
   * What failed before the commit makes it a rollback. No timeout of the server applies to a commit, which may wait for a
   * synchronous standby for ever: the client gives it up.
   */
  async commit(): Promise<void> {
    const committed = this.#send('commit', this.#limitMs())
    this.#isOpen = false
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
    if (this.#isBroken) return // the connection is closed
    try {
      await this.#send('rollback', atOnceMs(this.#hosts.timeouts))
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

  async #query(compiled: CompiledQuery): Promise<pg.QueryResult> {
    if (this.#isOpen && isLifting(compiled)) this.#isUnlimited = true
    try {
      return await this.#queryOnce(compiled)
    } catch (error) {
      // It was not run. A transaction is undone by the error, so its owner runs it again.
      if (this.#isOpen || !isStaleStatement(error)) throw error
      return this.#queryOnce(compiled)
    }
  }

  async #queryOnce({ sql, parameters }: CompiledQuery): Promise<pg.QueryResult> {
    try {
      const query = this.#statements.named(sql, parameters)
      return await this.#client.query(this.#isUnlimited ? query : withTimeout(query, this.#limitMs()))
    } catch (error) {
      this.#statements.refuse(sql, error)
      throw this.#note(error)
    }
  }

  #limitMs(): number {
    const { statementMs } = this.#hosts.timeouts
    return this.#isOpen ? statementMs + graceMs : statementMs
  }

  async #send(text: string, timeoutMs: number): Promise<pg.QueryResult> {
    try {
      return await this.#client.query(withTimeout({ text }, timeoutMs))
    } catch (error) {
      throw this.#note(error)
    }
  }

  #note(error: unknown): unknown {
    noteDatabaseError(error)
    if (isLost(this.#hosts, this.#client, error)) this.#isBroken = true
    return error
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
  async acquireConnection(): Promise<PipelinedSession> {
    return new PipelinedSession(await this.#connect(), this.#statements, this.#hosts)
  }
  async beginTransaction(
    session: PipelinedSession,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const isolation = isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`
    session.begin(`${isolation} ${accessMode ?? ''}`)
    noteSession(session)
  }
  commitTransaction(session: PipelinedSession): Promise<void> {
    return session.commit()
  }
  rollbackTransaction(session: PipelinedSession): Promise<void> {
    return session.rollback()
  }
  async savepoint(session: PipelinedSession, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`savepoint "${name}"`))
  }
  async rollbackToSavepoint(session: PipelinedSession, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`rollback to savepoint "${name}"`))
  }
  async releaseSavepoint(session: PipelinedSession, name: string): Promise<void> {
    await session.executeQuery(CompiledQuery.raw(`release savepoint "${name}"`))
  }
  async releaseConnection(session: PipelinedSession): Promise<void> {
    session.release()
  }
  destroy(): Promise<void> {
    return this.#end()
  }
}

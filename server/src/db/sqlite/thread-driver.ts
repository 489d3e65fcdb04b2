import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely'
import { noteSession, type Session, waitingTransaction } from '../running.ts'
import { isWriteBehind, runsOf } from '../write-behind.ts'
import { WriteLock } from './lock.ts'
import { WriterThread } from './writer-thread.ts'

/** An idle thread ends after this time: it holds some 15 MB. */
const idleTimeoutMs = 10_000

export interface ThreadEvents {
  /** Called before each transaction. From here on the thread does the checkpoints, off the event loop. */
  readonly onWork: () => void
  /** Called after each commit, before the transaction resolves. */
  readonly onCommit: () => void
  /** Called when it has no more work. */
  readonly onEnd: () => void
}

/**
 * Runs write transactions on a thread, one after another. They stand in one line with the other writers of the file: the
 * lock is taken before a transaction begins, so neither thread ever waits inside SQLite for the other.
 */
export class ThreadDriver implements Driver {
  readonly #path: string
  readonly #events: ThreadEvents
  #thread: WriterThread | undefined
  #connections = 0
  #idle: NodeJS.Timeout | undefined

  constructor(path: string, events: ThreadEvents) {
    this.#path = path
    this.#events = events
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ThreadConnection> {
    this.#connections++
    clearTimeout(this.#idle)
    return new ThreadConnection()
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    await this.#thread?.ask('select 1').catch(() => {}) // it may still be at its checkpoint, beside which others write
    const release = await WriteLock.of(this.#path).acquire(waitingTransaction())
    try {
      if (this.#thread === undefined || this.#thread.isGone) this.#thread = new WriterThread(this.#path)
      this.#events.onWork()
      await connection.begin(this.#thread, release)
      noteSession(connection)
    } catch (error) {
      release()
      throw error
    }
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.commit()
    this.#events.onCommit()
  }

  rollbackTransaction(connection: ThreadConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(): Promise<void> {
    this.#connections--
    if (this.#connections === 0) this.#idle = setTimeout(() => this.#end(), idleTimeoutMs).unref()
  }

  destroy(): Promise<void> {
    clearTimeout(this.#idle)
    return this.#end()
  }

  async #end(): Promise<void> {
    const thread = this.#thread
    if (thread === undefined) return // also if the database is closed
    this.#thread = undefined
    this.#events.onEnd()
    await thread.end()
  }
}

class ThreadConnection implements DatabaseConnection, Session {
  #open: { readonly thread: WriterThread; readonly release: () => void } | undefined
  /** The last statement that was not waited for. */
  #behind: Promise<unknown> = Promise.resolve()
  /** What the first such statement failed with. */
  #failure: unknown

  async begin(thread: WriterThread, release: () => void): Promise<void> {
    await thread.ask('begin immediate')
    this.#open = { thread, release }
  }

  run(query: CompiledQuery): Promise<QueryResult<unknown>> {
    return this.executeQuery(query)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#open === undefined) throw new Error('only transactions run on this thread')
    const asked = this.#open.thread.ask(query.sql, query.parameters, runsOf(query))
    if (isWriteBehind(query)) {
      this.#behind = asked.catch((error) => {
        this.#failure ??= error
      })
      return { rows: [] }
    }
    const { rows, changes } = await asked
    this.#throwFailure()
    return changes === undefined ? { rows: rows as R[] } : { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** The transaction is over even where this fails: Kysely's rollback after it finds nothing to do. */
  async commit(): Promise<void> {
    await this.#behind
    try {
      this.#throwFailure()
      await this.#open?.thread.ask('commit')
      this.#close()
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  async rollback(): Promise<void> {
    await this.#open?.thread.ask('rollback').catch(() => {}) // a thread that ended has taken its transaction with it
    this.#close()
  }

  // biome-ignore lint/correctness/useYield: only transactions run here; lists walk by page instead
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('SQLite queries are not streamed here')
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  #close(): void {
    this.#open?.release()
    this.#open = undefined
  }
}

import type { Statement } from 'better-sqlite3'
import type { StatementCache } from './statements.ts'

/**
 * The connection that reads. Outside of a transaction SQLite locks the file for each read and unlocks it again, which takes
 * as long as to read a row; so the reads of requests that are found waiting together, in one turn of the event loop, share
 * one. Those requests had been sent when it began, so none of them misses what was committed before. What this process
 * commits meanwhile, the next read sees.
 */
export class Reader {
  readonly #statements: StatementCache
  readonly #begin: Statement
  readonly #commit: Statement
  #state: 'alone' | 'sharing' | 'shared' = 'alone'

  constructor(statements: StatementCache) {
    this.#statements = statements
    this.#begin = statements.db.prepare('begin')
    this.#commit = statements.db.prepare('commit')
  }

  /**
   * Until the end of this turn, reads share a transaction. Call it where a request is read from a connection, which is in the
   * poll phase: from any other, the turn would go on to a poll that finds requests which were sent later.
   */
  shareReadTransaction(): void {
    if (this.#state !== 'alone') return
    this.#state = 'sharing'
    setImmediate(() => {
      this.endSharedRead()
      this.#state = 'alone'
    })
  }

  prepare(sql: string): Statement {
    if (this.#state === 'sharing') {
      this.#begin.run()
      this.#state = 'shared'
    }
    return this.#statements.prepare(sql)
  }

  /** The next read sees what has been committed by then. */
  endSharedRead(): void {
    if (this.#state !== 'shared') return
    this.#state = 'sharing'
    if (this.#statements.db.inTransaction) this.#commit.run() // a read that failed for the disk's sake has ended it already
  }

  close(): void {
    this.#state = 'alone'
    this.#statements.db.close()
  }
}

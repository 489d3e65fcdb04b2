import type { Statement } from 'better-sqlite3'
import type { StatementCache } from './sqlite-statements.ts'

/**
 * The connection that reads. Outside of a transaction SQLite locks the file for each read and unlocks it again, which takes
 * as long as the read of a row; so those that requests ask for in one turn of the event loop share a transaction. What this
 * process commits, the next read sees; what another one does, the next turn.
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

  /** Until the end of this turn, reads share a transaction. Outside of the poll phase that would be too long: others may poll before it ends. */
  shareTurn(): void {
    if (this.#state !== 'alone') return
    this.#state = 'sharing'
    setImmediate(() => {
      this.renew()
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
  renew(): void {
    if (this.#state !== 'shared') return
    this.#state = 'sharing'
    this.#commit.run()
  }

  close(): void {
    this.#state = 'alone'
    this.#statements.db.close()
  }
}

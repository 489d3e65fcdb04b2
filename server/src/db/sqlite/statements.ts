import Sqlite from 'better-sqlite3'

export const busyTimeoutMs = 5_000
const statementCacheSize = 500

/** In KiB, of each connection that stays open; what is not there is still in the system's page cache. */
export const cacheSize = 8_000

export function openReader(path: string, cache = cacheSize): Sqlite.Database {
  const db = new Sqlite(path, { timeout: busyTimeoutMs })
  db.pragma(`cache_size = -${cache}`)
  db.pragma('query_only = ON')
  return db
}

/** Prepared statements by their text; the oldest is evicted first. */
export class StatementCache {
  readonly db: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(db: Sqlite.Database) {
    this.db = db
  }
  prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.db.prepare(sql)
    if (this.#statements.size >= statementCacheSize) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

import Sqlite from 'better-sqlite3'
import { countCache } from '../../core/cache-use.ts'
import { noted } from '../errors-seen.ts'

const busyTimeoutMs = 5_000
const statementCacheSize = 500
/** The text of a list of more values hardly comes again, and its statement may take megabytes. */
const mostValuesKept = 300

/** In KiB, of each connection that stays open; what is not there is still in the system's page cache. */
const cacheSize = 8_000

export function openReader(path: string, cache = cacheSize): Sqlite.Database {
  const db = new Sqlite(path, { timeout: busyTimeoutMs })
  db.pragma(`cache_size = -${cache}`)
  db.pragma('query_only = ON')
  return db
}

/** Opens a connection that writes beside others. */
export function openWriter(path: string, cache = cacheSize): Sqlite.Database {
  const db = new Sqlite(path, { timeout: busyTimeoutMs })
  db.pragma('journal_mode = WAL')
  db.pragma(`cache_size = -${cache}`)
  setWriterPragmas(db)
  return db
}

/** What every connection that writes has to keep. */
export function setWriterPragmas(db: Sqlite.Database): void {
  db.pragma('synchronous = FULL') // an answered write survives a power cut; better-sqlite3's default does not promise it
  db.pragma('foreign_keys = ON')
  db.pragma('secure_delete = ON') // what was deleted is gone from the file, too
}

/** Runs a write once for each of these parameters. */
export function runEach(statement: Sqlite.Statement, runs: readonly (readonly unknown[])[]): void {
  try {
    for (const parameters of runs) statement.run(...parameters)
  } catch (error) {
    throw noted(error)
  }
}

/** Prepared statements by their text; the oldest is evicted first. */
export class StatementCache {
  readonly db: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()
  readonly #use = countCache('statements', this.#statements)

  constructor(db: Sqlite.Database) {
    this.db = db
  }
  prepare(sql: string): Sqlite.Statement {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#use.hits++
      return known
    }
    this.#use.misses++
    const statement = this.db.prepare(sql)
    if (sql.split('?', mostValuesKept + 2).length > mostValuesKept + 1) return statement
    if (this.#statements.size >= statementCacheSize) {
      const [oldest] = this.#statements.keys()
      if (oldest !== undefined) this.#statements.delete(oldest)
    }
    this.#statements.set(sql, statement)
    return statement
  }
}

import { chmodSync, closeSync, existsSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { createPrivateFolder } from '../core/private-folder.ts'
import type { Database, RootDb } from './database.ts'
import { DirectKysely } from './direct.ts'
import { postgresDialect } from './postgres/dialect.ts'
import { createReplicas } from './postgres/replicas.ts'
import { sqliteDialect } from './sqlite/dialect.ts'

/** Where the data is, from the configuration. */
export type DatabaseAddress = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string }

/** Only the owner of the process may read the file; SQLite gives its -wal and -shm files the same mode. */
function createPrivateFile(path: string): void {
  createPrivateFolder(dirname(path))
  closeSync(openSync(path, 'a', 0o600))
  chmodSync(path, 0o600)
}

/** Opens the database so that nothing in it can change. An SQLite file that is not there is like an empty one. */
export const openForReading = (address: DatabaseAddress): RootDb => {
  if (address.kind === 'postgres') return openDatabase(address, () => {})
  const isThere = existsSync(address.path)
  const database = new Sqlite(isThere ? address.path : ':memory:', { readonly: isThere })
  return new Kysely<Database>({ dialect: new SqliteDialect({ database }) })
}

/** Opens an SQLite database exclusively. If another process has it open, the first query fails with SQLITE_BUSY. */
export function openAlone(path: string): RootDb {
  return new Kysely<Database>({ dialect: sqliteDialect(path, true).dialect })
}

export interface OpenOptions {
  readonly poolSize?: number
  /** Replicas to read from; see `replicas.ts`. */
  readonly readUrl?: string | null
}

/** Opens the database without reading or changing anything. `onIdleError` is called for connections that break while idle. */
export function openDatabase(
  address: DatabaseAddress,
  onIdleError: (error: Error) => void,
  { poolSize, readUrl = null }: OpenOptions = {},
): RootDb {
  if (address.kind === 'sqlite') {
    createPrivateFile(address.path)
    return new DirectKysely(sqliteDialect(address.path))
  }
  const db = new DirectKysely(postgresDialect(address.url, onIdleError, poolSize))
  if (readUrl !== null) db.replicas = createReplicas(db, readUrl, onIdleError, poolSize)
  return db
}

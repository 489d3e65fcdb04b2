import { closeSync, existsSync, fsyncSync, openSync, rmSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { syncPath } from '../core/durable-file.ts'
import { createPrivateFolder } from '../core/private-folder.ts'
import { readUnfinishedFile, unfinishedFile } from '../db/unfinished.ts'
import { decodeRows } from './copy-text.ts'
import { quote, sqliteSnapshot } from './sqlite-snapshot.ts'
import type { Mark, Target } from './target.ts'

/** How many bytes of the search index FTS5 collects before it writes them; its default is 1 MiB. */
const hashSizes = { loading: 32 * 2 ** 20, normal: 2 ** 20 }

const filesOf = (path: string): string[] => ['', '-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`)
const uploadsOf = (path: string): string => `${path}-uploads`

/** All that a database or an earlier attempt at one consists of. `beginSqlite` replaces it. */
export const placesOf = (path: string): string[] => [...filesOf(path), uploadsOf(path), unfinishedFile(path)]

/** What stands in the database, if anything. An unfinished one is not opened: a kill may have left it damaged. */
export function lookAtSqlite(path: string): { isEmpty: boolean; mark: Mark | undefined } {
  const command = readUnfinishedFile(path)
  if (command !== undefined) return { isEmpty: false, mark: { command } }
  if (!existsSync(path)) return { isEmpty: true, mark: undefined }
  const db = new Sqlite(path, { timeout: 5_000 })
  try {
    return { isEmpty: db.prepare('select name from sqlite_master').get() === undefined, mark: undefined }
  } finally {
    db.close()
  }
}

/** Makes an empty database with a mark beside it, in place of what an earlier attempt left behind. */
export function beginSqlite(path: string, { command }: Mark): void {
  createPrivateFolder(dirname(path))
  writeFileSync(unfinishedFile(path), `${command}\n`, { mode: 0o600, flush: true })
  syncPath(dirname(path))
  for (const file of filesOf(path)) rmSync(file, { force: true })
  rmSync(uploadsOf(path), { recursive: true, force: true })
}

/** Fills a migrated database. Until the mark is gone nobody uses it, so that nothing has to be safe before. */
export function openSqliteTarget(path: string): Target {
  const db = new Sqlite(path, { timeout: 5_000 })
  db.pragma('locking_mode = EXCLUSIVE')
  db.pragma('journal_mode = DELETE') // the only way to leave a WAL
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('foreign_keys = OFF')
  db.pragma('cache_size = -200000')
  db.pragma('threads = 2')
  const snapshot = sqliteSnapshot(db)
  const later = db
    .prepare("select type, name, sql from sqlite_master where type in ('index', 'trigger') and sql is not null")
    .all() as { type: string; name: string; sql: string }[]
  const setHashSize = (size: number) =>
    db.prepare("insert into users_search (users_search, rank) values ('hashsize', ?)").run(BigInt(size))

  return {
    snapshot,
    begin: async () => {
      for (const { type, name } of later) db.exec(`drop ${type} ${quote(name)}`)
      db.exec('begin')
      for (const { name } of await snapshot.tables()) db.exec(`delete from ${quote(name)}`)
      setHashSize(hashSizes.loading)
    },
    load: async (table, chunks) => {
      const names = table.columns.map(({ name }) => name)
      const types = table.columns.map(({ type }) => type)
      const insert = db.prepare(
        `insert into ${quote(table.name)} (${names.map(quote)}) values (${names.map(() => '?')})`,
      )
      for await (const rows of decodeRows(chunks, types)) for (const row of rows) insert.run(row)
    },
    finish: async (sequences) => {
      setHashSize(hashSizes.normal)
      db.exec('delete from sqlite_sequence')
      const counted = db
        .prepare("select name from sqlite_master where type = 'table' and sql like '%autoincrement%'")
        .pluck()
      for (const name of counted.all() as string[])
        db.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, sequences[name] ?? 0)
      for (const { sql } of later) db.exec(sql)
    },
    run: async (statement) => db.prepare(statement).run().changes,
    complete: async () => {
      writeUploads(db, uploadsOf(path))
      db.exec('commit')
      db.close()
      syncPath(path)
      rmSync(unfinishedFile(path))
      syncPath(dirname(path))
    },
    close: async () => void db.close(),
  }
}

/** SQLite keeps uploads as files beside the database. */
function writeUploads(db: Sqlite.Database, folder: string): void {
  const found = db.prepare("select 1 from sqlite_master where name = 'uploads'").get()
  if (found === undefined) return
  const rows = db.prepare('select name, part, bytes, created_ms from uploads order by name, part')
  for (const row of rows.iterate() as IterableIterator<{
    name: string
    part: number
    bytes: Buffer
    created_ms: number
  }>) {
    if (!/^[\w-]+$/.test(row.name)) throw new Error('an upload has a name that is none')
    createPrivateFolder(folder)
    const path = join(folder, row.name)
    const file = openSync(path, row.part === 0 ? 'w' : 'a', 0o600)
    writeSync(file, row.bytes)
    fsyncSync(file)
    closeSync(file)
    utimesSync(path, row.created_ms / 1000, row.created_ms / 1000)
  }
  db.exec('delete from uploads')
}

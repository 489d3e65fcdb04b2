import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type Sqlite from 'better-sqlite3'
import { partBytes } from '../features/jobs/uploads.ts'
import { type ColumnType, encodeRows } from './copy-text.ts'
import { isData, isMigrationTable, type Snapshot, type Table } from './snapshot.ts'

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`

const types: readonly [RegExp, ColumnType][] = [
  [/int/i, 'integer'],
  [/char|text/i, 'text'],
  [/blob/i, 'bytes'],
]

function typeOf(table: string, column: string, declared: string): ColumnType {
  const type = types.find(([pattern]) => pattern.test(declared))?.[1]
  if (type === undefined)
    throw new Error(
      `the column ${column} of the table ${table} is ${declared || 'without a type'}: only integers, texts and bytes can be moved`,
    )
  return type
}

function toTable(db: Sqlite.Database, name: string, isVirtual: boolean): Table {
  // The search index; what is called rowid there is a column on PostgreSQL.
  if (isVirtual) {
    const columns = [
      { name: 'rowid', type: 'integer' },
      { name: 'text', type: 'text' },
    ] as const
    return { name, columns, key: ['rowid'] }
  }
  const found = db.pragma(`table_info(${quote(name)})`) as { name: string; type: string; pk: number }[]
  const columns = found.map((column) => ({ name: column.name, type: typeOf(name, column.name, column.type) }))
  const key = found.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return { name, columns, key: (key.length > 0 ? key : found).map((column) => column.name) }
}

/** Undefined for a file that has been removed meanwhile. */
function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Rows of the table `uploads` as PostgreSQL has them, from the files that SQLite keeps beside the database. An import that
 * ends meanwhile removes its file, which is then left out.
 */
function* uploadRows(folder: string, columns: readonly string[]): Generator<unknown[]> {
  for (const name of existsSync(folder) ? readdirSync(folder).sort() : []) {
    const file = openIfThere(join(folder, name))
    if (file === undefined) continue
    try {
      const created_ms = Math.round(fstatSync(file).mtimeMs)
      for (let part = 0, length = partBytes; length === partBytes; part++) {
        const bytes = Buffer.alloc(partBytes)
        length = readSync(file, bytes, 0, partBytes, part * partBytes)
        const row: Record<string, unknown> = { name, part, bytes: bytes.subarray(0, length), created_ms }
        yield columns.map((column) => row[column])
      }
    } finally {
      closeSync(file)
    }
  }
}

/** Reads a connection's state: whoever opened it holds a transaction or keeps others away. `uploads` is the folder of uploads, if there is one. */
export function sqliteSnapshot(db: Sqlite.Database, uploads?: string): Snapshot {
  const named = () =>
    (db.pragma('table_list') as { schema: string; name: string; type: string }[]).filter(
      ({ schema, name, type }) =>
        schema === 'main' && type !== 'shadow' && type !== 'view' && !name.startsWith('sqlite_'),
    )
  const filesOf = (table: string): string | undefined => (table === 'uploads' ? uploads : undefined)
  return {
    migrations: async () => {
      const tables = named().filter(({ name }) => isMigrationTable(name))
      const names = (table: string) =>
        db
          .prepare(`select name from ${quote(table)} order by name`)
          .pluck()
          .all() as string[]
      return Object.fromEntries(tables.map(({ name }) => [name, names(name)]))
    },
    tables: async () => {
      const tables = named().filter(({ name }) => isData(name))
      return tables
        .map(({ name, type }) => toTable(db, name, type === 'virtual'))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
    },
    count: async (table) => {
      const folder = filesOf(table)
      if (folder !== undefined) return [...uploadRows(folder, [])].length
      return db
        .prepare(`select count(*) from ${quote(table)}`)
        .pluck()
        .get() as number
    },
    rows: async function* ({ name, columns, key }) {
      const names = columns.map((column) => column.name)
      const folder = filesOf(name)
      if (folder !== undefined) {
        yield* encodeRows(uploadRows(folder, names))
        return
      }
      const statement = db.prepare(`select ${names.map(quote)} from ${quote(name)} order by ${key.map(quote)}`)
      yield* encodeRows(statement.raw().iterate() as IterableIterator<unknown[]>)
    },
    sequences: async () => {
      const rows = db.prepare('select name, seq from sqlite_sequence order by name').all() as {
        name: string
        seq: number
      }[]
      return Object.fromEntries(rows.filter(({ name }) => isData(name)).map(({ name, seq }) => [name, seq]))
    },
    query: async <Row>(sql: string) => db.prepare(sql).all() as Row[],
  }
}

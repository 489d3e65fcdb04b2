import { createHash } from 'node:crypto'
import { countLines } from '../core/text.ts'
import { isAvatarKey } from '../features/avatar-files/avatar-url.ts'
import type { ColumnType } from './copy-text.ts'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

/** A table as both databases have it. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** The columns that give its rows an order, the same on both databases. */
  readonly key: readonly string[]
}

/** A database in one consistent state. */
export interface Snapshot {
  /** The migrations that it has had, by the table that names them. */
  readonly migrations: () => Promise<Record<string, string[]>>
  readonly tables: () => Promise<Table[]>
  readonly count: (table: string) => Promise<number>
  /** All rows in the order of the key, in the text format of COPY. */
  readonly rows: (table: Table) => AsyncIterable<Buffer>
  /** The greatest id that each table has ever given. */
  readonly sequences: () => Promise<Record<string, number>>
  /** Runs a query without parameters. */
  readonly query: <Row>(sql: string) => Promise<Row[]>
}

/** A snapshot that holds something until it is closed. */
export interface OpenSnapshot extends Snapshot {
  readonly close: () => Promise<void>
}

/** What is compared of a table: that all rows are there, and each is what it was. */
export interface TableSum {
  readonly rows: number
  readonly sha256: string
}

const ownTables = new Set(['nodes', 'unfinished_restore'])

/** False for what belongs to this database alone: running nodes, its migrations, marks. */
export const isData = (table: string): boolean =>
  !ownTables.has(table) && !isMigrationTable(table) && !table.endsWith('_migration_lock')

/** The names of the tables in which migrations are noted. */
export const isMigrationTable = (table: string): boolean => /^(kysely|plugin_\w+)_migration$/.test(table)

/** Passes chunks on; afterwards `sum` returns what went through. `onRows` is called with the number of rows in each. */
export function createMeter(onRows: (rows: number) => void) {
  const hash = createHash('sha256')
  let rows = 0
  async function* measure(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      const lines = countLines(chunk)
      rows += lines
      onRows(lines)
      yield chunk
    }
  }
  return { measure, sum: (): TableSum => ({ rows, sha256: hash.digest('hex') }) }
}

/** Reads a whole table in order to sum it up. */
export async function sumOf(snapshot: Snapshot, table: Table, onRows: (rows: number) => void): Promise<TableSum> {
  const { measure, sum } = createMeter(onRows)
  for await (const _ of measure(snapshot.rows(table)));
  return sum()
}

/** The stored pictures that users refer to, once each. */
export async function* avatarKeys({ query }: Snapshot): AsyncGenerator<string> {
  for (let last = ''; ; ) {
    const rows = await query<{ avatar: string }>(
      `select distinct avatar from users where length(avatar) = 64 and avatar > '${last}' order by avatar limit 1000`,
    )
    for (const { avatar } of rows) if (isAvatarKey(avatar)) yield avatar
    if (rows.length === 0) return
    last = (rows.at(-1) as { avatar: string }).avatar.replaceAll("'", "''")
  }
}

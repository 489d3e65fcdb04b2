import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { ColumnType } from './copy-text.ts'
import { isData, isMigrationTable, type Snapshot, type Table } from './snapshot.ts'
import { quote } from './sqlite-snapshot.ts'

const types: Readonly<Record<string, ColumnType>> = {
  bigint: 'integer',
  integer: 'integer',
  smallint: 'integer',
  text: 'text',
  'character varying': 'text',
  bytea: 'bytes',
}

function typeOf(table: string, column: string, declared: string): ColumnType {
  const type = types[declared]
  if (type === undefined)
    throw new Error(
      `the column ${column} of the table ${table} is ${declared}: only integers, texts and bytes can be moved`,
    )
  return type
}

interface Found {
  readonly table: string
  readonly column: string
  readonly type: string
  /** Its place in the primary key, from 1. */
  readonly place: number | null
  readonly sequence: string | null
}

const findColumns = `
  select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type,
    array_position(i.indkey::int2[], a.attnum)::int as place,
    case when a.attidentity <> '' then pg_get_serial_sequence(quote_ident(c.relname), a.attname) end as sequence
  from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_index i on i.indrelid = c.oid and i.indisprimary
  where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
  order by c.relname collate "C", a.attnum`

function toTable(name: string, found: readonly Found[]): Table {
  const key = found.filter(({ place }) => place !== null).sort((a, b) => (a.place ?? 0) - (b.place ?? 0))
  return {
    name,
    columns: found.map(({ column, type }) => ({ name: column, type: typeOf(name, column, type) })),
    key: (key.length > 0 ? key : found).map(({ column }) => column),
  }
}

/** Reads what a connection sees; whoever opened it has begun a transaction. */
export function postgresSnapshot(client: pg.Client): Snapshot {
  const query = async <Row>(sql: string): Promise<Row[]> => (await client.query(sql)).rows as Row[]
  const columnsByTable = async (wanted: (table: string) => boolean): Promise<Map<string, Found[]>> => {
    const found = (await query<Found>(findColumns)).filter(({ table }) => wanted(table))
    return Map.groupBy(found, ({ table }) => table)
  }
  return {
    query,
    migrations: async () => {
      const noted: Record<string, string[]> = {}
      for (const table of (await columnsByTable(isMigrationTable)).keys())
        noted[table] = (await query<{ name: string }>(`select name from ${quote(table)} order by name`)).map(
          ({ name }) => name,
        )
      return noted
    },
    tables: async () => [...(await columnsByTable(isData))].map(([name, found]) => toTable(name, found)),
    count: async (table) => {
      const [row] = await query<{ count: string }>(`select count(*) as count from ${quote(table)}`)
      return Number(row?.count)
    },
    rows: async function* ({ name, columns, key }) {
      const typeByName = new Map(columns.map((column) => [column.name, column.type]))
      // NULL comes first on SQLite.
      const order = key.map(
        (column) => `${quote(column)}${typeByName.get(column) === 'text' ? ' collate "C"' : ''} nulls first`,
      )
      const select = `select ${columns.map((column) => quote(column.name))} from ${quote(name)} order by ${order}`
      yield* client.query(copyTo(`copy (${select}) to stdout`)) as AsyncIterable<Buffer>
    },
    sequences: async () => {
      const sequences: Record<string, number> = {}
      for (const [table, found] of await columnsByTable(isData)) {
        const id = found.find(({ sequence }) => sequence !== null)
        if (id === undefined) continue
        const [row] = await query<{ last: string }>(`select greatest(
          (select case when is_called then last_value else 0 end from ${id.sequence}),
          (select max(${quote(id.column)}) from ${quote(table)})) as last`)
        sequences[table] = Number(row?.last ?? 0)
      }
      return sequences
    },
  }
}

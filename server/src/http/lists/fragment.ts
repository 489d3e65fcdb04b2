import { CompiledQuery, type RawBuilder, type SqlBool } from 'kysely'
import type { ReadDb } from '../../db/database.ts'
import { compileSql, isPostgres } from '../../db/dialect.ts'
import { type Cost, findDirectRead } from '../../db/direct.ts'

/**
 * A piece of SQL, with a `?` for each of its parameters and for nothing else. A list puts its queries together from such
 * pieces: joining text costs next to nothing, and the whole text is what the database's prepared statement is known by.
 */
export interface Fragment {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export const fragment = (sql: string, ...parameters: readonly unknown[]): Fragment => ({ sql, parameters })

export const quoted = (name: string): string => `"${name}"`

/** A text that may be null, as its index has it: null is the empty text, which is never stored. */
export const notNull = (column: string): string => `coalesce(${column}, '')`

/** The pieces one after the other. */
export const concat = (...parts: readonly Fragment[]): Fragment => ({
  sql: parts.map((part) => part.sql).join(' '),
  parameters: parts.flatMap((part) => part.parameters),
})

/** `where a and b`; nothing for no conditions. */
export const whereAll = (conditions: readonly Fragment[]): Fragment =>
  conditions.length === 0
    ? fragment('')
    : {
        sql: `where ${conditions.map(({ sql }) => sql).join(' and ')}`,
        parameters: conditions.flatMap(({ parameters }) => parameters),
      }

/** The pattern of LIKE for a text that contains `part`. */
export const containing = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * The end of a query. SQLite plans a statement anew whenever the variable behind a bare `limit` gets its value, which takes
 * longer than to read a page of 20; what stands in an expression it leaves alone.
 */
export const limitTo = (limit: number, skip = 0): Fragment =>
  fragment('limit cast(? as bigint) offset cast(? as bigint)', limit, skip)

/** A condition that was built with Kysely. It numbers the parameters in the order in which they stand. */
export function toFragment(condition: Fragment | RawBuilder<SqlBool>, db: ReadDb): Fragment {
  if (!('compile' in condition)) return condition
  const { sql, parameters } = compileSql(db, condition)
  return { sql: sql.replaceAll(/\$\d+/g, '?'), parameters }
}

const maxNumbered = 1_000
const numbered = new Map<string, string>()

/** PostgreSQL counts its parameters. */
function withNumbers(text: string): string {
  const known = numbered.get(text)
  if (known !== undefined) return known
  let count = 0
  const made = text.replaceAll('?', () => `$${++count}`)
  if (numbered.size >= maxNumbered) numbered.clear()
  numbered.set(text, made)
  return made
}

/** Runs a query. */
export async function read<Row>(db: ReadDb, { sql, parameters }: Fragment, cost: Cost = 'unsure'): Promise<Row[]> {
  const query = { sql: isPostgres(db) ? withNumbers(sql) : sql, parameters }
  const direct = findDirectRead(db)
  if (direct !== undefined) return (await direct({ ...query, cost })) as Row[]
  return (await db.executeQuery<Row>(CompiledQuery.raw(query.sql, [...parameters]))).rows
}

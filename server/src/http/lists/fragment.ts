import { CompiledQuery, type RawBuilder, type SqlBool } from 'kysely'
import type { ReadDb } from '../../db/database.ts'
import { compileSql, isPostgres } from '../../db/dialect.ts'
import { type Cost, findDirectRead } from '../../db/direct.ts'

/**
 * A piece of SQL with one `?` for each of its parameters. Lists build their queries from such pieces: joining text is cheap,
 * and prepared statements are looked up by their whole text.
 */
export interface Fragment {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export const fragment = (sql: string, ...parameters: readonly unknown[]): Fragment => ({ sql, parameters })

export const quoted = (name: string): string => `"${name}"`

/** A nullable text column in the form that its index has: null counts as the empty text, which is never stored. */
export const notNull = (column: string): string => `coalesce(${column}, '')`

/** Joins the pieces in order. */
export const concat = (...parts: readonly Fragment[]): Fragment => ({
  sql: parts.map((part) => part.sql).join(' '),
  parameters: parts.flatMap((part) => part.parameters),
})

/** `where a and b`; empty without conditions. */
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
 * The end of a query. SQLite plans a statement again whenever the variable of a bare `limit` is bound, which takes longer
 * than reading a page of 20. With an expression it does not.
 */
export const limitTo = (limit: number, skip = 0): Fragment =>
  fragment('limit cast(? as bigint) offset cast(? as bigint)', limit, skip)

/** A condition built with Kysely, which numbers the parameters in order. */
export function toFragment(condition: Fragment | RawBuilder<SqlBool>, db: ReadDb): Fragment {
  if (!('compile' in condition)) return condition
  const { sql, parameters } = compileSql(db, condition)
  return { sql: sql.replaceAll(/\$\d+/g, '?'), parameters }
}

const maxNumbered = 1_000
const numbered = new Map<string, string>()

/** PostgreSQL numbers its parameters. */
function withNumbers(text: string): string {
  const known = numbered.get(text)
  if (known !== undefined) return known
  let count = 0
  const made = text.replaceAll('?', () => `$${++count}`)
  if (numbered.size >= maxNumbered) numbered.clear()
  numbered.set(text, made)
  return made
}

/** The query as this database takes it. */
export const numberedFor = (db: ReadDb, { sql, parameters }: Fragment): Fragment => ({
  sql: isPostgres(db) ? withNumbers(sql) : sql,
  parameters,
})

/** Runs a query. */
export async function read<Row>(db: ReadDb, { sql, parameters }: Fragment, cost: Cost = 'unsure'): Promise<Row[]> {
  const query = { sql: isPostgres(db) ? withNumbers(sql) : sql, parameters }
  const direct = findDirectRead(db)
  if (direct !== undefined) return (await direct({ ...query, cost })) as Row[]
  return (await db.executeQuery<Row>(CompiledQuery.raw(query.sql, [...parameters]))).rows
}

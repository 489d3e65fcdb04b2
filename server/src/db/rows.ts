import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ReadDb } from './database.ts'
import { isPostgres } from './dialect.ts'

export type Columns = Readonly<Record<string, 'integer' | 'text'>>

/** Any number of rows as one parameter, called `given`, so that the statement is the same however many there are. */
export const rowsOf = (db: ReadDb, columns: Columns, rows: readonly object[]): RawBuilder<unknown> =>
  rowsOfJson(db, columns, JSON.stringify(rows))

/** Any number of ids as one parameter: `id in ${among(db, ids)}`. */
export const among = (db: ReadDb, ids: readonly number[]): RawBuilder<number> =>
  sql`(${valuesOfJson(db, 'integer', JSON.stringify(ids))})`

const valuesOfJson = (db: ReadDb, type: Columns[string], json: string): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`select value::${sql.raw(typeOf(type))} from json_array_elements_text(${json}::json)`
    : sql`select value from json_each(${json})`

const typeOf = (type: Columns[string]): string => (type === 'text' ? 'text' : 'bigint')

/** {@link rowsOf} for rows that are JSON already, or a placeholder for it. */
export function rowsOfJson(db: ReadDb, columns: Columns, json: string): RawBuilder<unknown> {
  const names = Object.entries(columns)
  if (isPostgres(db)) {
    const types = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(typeOf(type))}`)
    return sql`json_to_recordset(${json}::json) as given (${sql.join(types)})`
  }
  const values = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(values)} from json_each(${json})) as given`
}

/**
 * `in (query)` for a column with an index. Without statistics PostgreSQL would join and read the whole table; an array is looked
 * up in the index. Of an array in a plan that was made while the table was empty it would compare each row with each value, so
 * the statement is `plannedEachTime` where a job fills the table.
 */
export const isIn = (db: ReadDb, query: RawBuilder<unknown>): RawBuilder<unknown> =>
  isPostgres(db) ? sql`= any(array(${query}))` : sql`in (${query})`

/** A condition: the column is one of these values. They are given as a JSON array, or a placeholder for one. */
export const isOneOf = (
  db: ReadDb,
  column: string,
  json: string,
  type: Columns[string] = 'text',
): RawBuilder<SqlBool> => sql`${sql.ref(column)} ${isIn(db, valuesOfJson(db, type, json))}`

import { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

const writeBehind = Symbol('write behind')
const parametersOfEach = Symbol('parameters of each')

export const isWriteBehind = (query: CompiledQuery): boolean => writeBehind in query

/** The query, marked as a write whose result nobody needs. */
export const toWriteBehind = (query: CompiledQuery): CompiledQuery =>
  Object.assign({ ...query }, { [writeBehind]: true })

/**
 * Runs a write whose result nobody needs. In a transaction on PostgreSQL it is sent at once without waiting for the answer: if it
 * fails, a later statement of the transaction or its commit throws the error.
 */
export async function executeBehind(db: Db, query: { readonly compile: (db: Db) => CompiledQuery }): Promise<void> {
  await db.executeQuery(toWriteBehind(query.compile(db)))
}

/** The parameters of each run of a query that `executeForEach` made; undefined for any other. */
export const runsOf = (query: CompiledQuery): readonly (readonly unknown[])[] | undefined =>
  (query as { [parametersOfEach]?: readonly (readonly unknown[])[] })[parametersOfEach]

/**
 * Runs a write of one row many times on SQLite, each time with other parameters, without waiting for the result. This takes about
 * half as long as one statement for many rows, which copies every page it changes in case it has to be undone alone.
 */
export async function executeForEach(db: Db, sql: string, runs: readonly (readonly unknown[])[]): Promise<void> {
  if (runs.length > 0)
    await db.executeQuery(Object.assign(toWriteBehind(CompiledQuery.raw(sql)), { [parametersOfEach]: runs }))
}

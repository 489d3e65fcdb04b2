import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

const writeBehind = Symbol('write behind')

export const isWriteBehind = (query: CompiledQuery): boolean => writeBehind in query

/** The query, marked as a write whose result nobody needs. */
export const toWriteBehind = (query: CompiledQuery): CompiledQuery =>
  Object.assign({ ...query }, { [writeBehind]: true })

/**
 * Runs a write whose result nobody needs. In a transaction PostgreSQL is sent it at once, without a wait for its answer: if it
 * fails, a later statement of the transaction or its commit throws the error.
 */
export async function executeBehind(db: Db, query: { readonly compile: (db: Db) => CompiledQuery }): Promise<void> {
  await db.executeQuery(toWriteBehind(query.compile(db)))
}

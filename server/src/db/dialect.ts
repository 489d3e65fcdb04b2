import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Which database this is, for the few places where the two must differ. */
export const isPostgres = (db: Pick<Kysely<unknown>, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/**
 * Locks the rows that a transaction reads in order to change them. SQLite has no such clause and needs none: its write
 * transactions exclude each other from their start.
 */
export const forUpdate =
  (db: Db) =>
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> =>
    isPostgres(db) ? query.forUpdate() : query

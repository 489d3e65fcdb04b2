import { type CompiledQuery, type Kysely, PostgresAdapter, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, ReadDb } from './database.ts'
import { type Cost, findDirectRead } from './direct.ts'

const executorOf = (db: object) => (db as Pick<Kysely<unknown>, 'getExecutor'>).getExecutor()

/** Which database this is, for the few places where the two must differ. */
export const isPostgres = (db: ReadDb | Kysely<never>): boolean => executorOf(db).adapter instanceof PostgresAdapter

/** Compiles a piece of raw SQL for this database. */
export const compileSql = (db: ReadDb, part: RawBuilder<unknown>): CompiledQuery =>
  part.compile({ getExecutor: () => executorOf(db) })

/** {@link plannedEachTime} as text. */
export const plannedEachTimeText = '/* planned each time */'

/**
 * The end of a statement on a queue, or on a table that a job fills. PostgreSQL would keep the plan that it made while the table
 * was empty, and read all rows that were ever in it, until it is analyzed.
 */
export const plannedEachTime = sql.raw(plannedEachTimeText)
export const isPlannedEachTime = (text: string): boolean => text.endsWith(plannedEachTimeText)

/** Runs raw SQL that only reads. Outside of a transaction, `cost` says whether it may delay other requests. */
export async function readSql<Row>(db: ReadDb, query: RawBuilder<Row>, cost?: Cost): Promise<Row[]> {
  const direct = cost === undefined ? undefined : findDirectRead(db)
  if (cost !== undefined && direct !== undefined) return (await direct({ ...compileSql(db, query), cost })) as Row[]
  return (await query.execute({ getExecutor: () => executorOf(db) })).rows
}

/** SQLite has no such clauses and needs none: its write transactions exclude each other from their start. */
const locking =
  (lock: 'forUpdate' | 'forShare' | 'forKeyShare') =>
  (db: ReadDb) =>
  <D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> =>
    isPostgres(db) ? query[lock]() : query

/** Lets each statement of this transaction take as long as it needs. */
export async function liftStatementTimeout(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`set local statement_timeout = 0`.execute(db)
}

/** Keeps others from changing a table, but not from reading it, until the transaction ends. */
export async function lockTable(db: Db, name: string): Promise<void> {
  if (isPostgres(db)) await sql`lock table ${sql.table(name)} in share row exclusive mode`.execute(db)
}

/** Locks the rows that a transaction reads in order to change them. */
export const forUpdate = locking('forUpdate')
/** Locks rows that nobody may change or delete until the transaction ends. */
export const forShare = locking('forShare')
/** Locks rows that nobody may delete until the transaction ends. Changes of other columns than the key do not wait for it. */
export const forKeyShare = locking('forKeyShare')

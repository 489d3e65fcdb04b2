import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'

/** Reads with a compiled query outside of any transaction. It keeps nothing waiting that it need not: SQLite answers at once. */
export type DirectRead = (query: DirectQuery) => unknown[] | Promise<unknown[]>

export interface DirectQuery extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  /** It may take long: where it would keep others waiting, it is run elsewhere. */
  readonly costly?: boolean
}

const reads = new WeakMap<Db, DirectRead>()

/** Tells how `db` is read without the way through Kysely's layers, which costs more than a small query itself. */
export const setDirectRead = (db: Db, read: DirectRead): void => {
  reads.set(db, read)
}

/** Undefined for a transaction: what it reads, it must read on its own connection. */
export const findDirectRead = (db: Db): DirectRead | undefined => reads.get(db)

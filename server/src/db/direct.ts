import type { CompiledQuery } from 'kysely'
import type { ReadDb } from './database.ts'

/** Reads with a compiled query outside of any transaction. It keeps nothing waiting that it need not: SQLite answers at once. */
export type DirectRead = (query: DirectQuery) => unknown[] | Promise<unknown[]>

/** `quick` is found by an index, whatever is in the tables; `costly` may take long, and where it would keep others waiting is run elsewhere. */
export type Cost = 'quick' | 'unsure' | 'costly'

export interface DirectQuery extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  readonly cost: Cost
}

/** The shortest way to a database. */
export interface Direct {
  readonly read: DirectRead
  /** A request has come in: what is read in this turn of the event loop may be read together. */
  readonly shareTurn?: () => void
  /** Takes what was deleted or overwritten out of the database's log soon, apart from everybody's way. */
  readonly eraseDeleted?: () => void
}

const directs = new WeakMap<ReadDb, Direct>()

/** Tells how `db` is read without the way through Kysely's layers, which costs more than a small query itself. */
export const setDirect = (db: ReadDb, direct: Direct): void => {
  directs.set(db, direct)
}

/** Undefined for a transaction: what it reads, it must read on its own connection. */
export const findDirectRead = (db: ReadDb): DirectRead | undefined => directs.get(db)?.read

/** Call it where a request comes in from a connection, and nowhere else: see `Reader`. */
export const shareTurn = (db: ReadDb): void => directs.get(db)?.shareTurn?.()

/** Call it after a change that took personal data or a secret away: SQLite's log (WAL) would keep it until it is overwritten. */
export const eraseDeleted = (db: ReadDb): void => directs.get(db)?.eraseDeleted?.()

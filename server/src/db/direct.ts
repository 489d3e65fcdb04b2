import { type CompiledQuery, type Dialect, Kysely } from 'kysely'
import type { Database, ReadDb } from './database.ts'

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
  readonly shareReadTransaction?: () => void
  /** Takes what was deleted or overwritten out of the database's log soon, apart from everybody's way. */
  readonly eraseDeleted?: () => void
}

/** The database itself, outside of any transaction, with the way around Kysely's layers: they cost more than a small query itself. */
export class DirectKysely extends Kysely<Database> {
  readonly direct: Direct
  constructor({ dialect, direct }: { readonly dialect: Dialect; readonly direct: Direct }) {
    super({ dialect })
    this.direct = direct
  }
}

const directOf = (db: ReadDb): Direct | undefined => (db instanceof DirectKysely ? db.direct : undefined)

/** Undefined for a transaction: what it reads, it must read on its own connection. */
export const findDirectRead = (db: ReadDb): DirectRead | undefined => directOf(db)?.read

/** Call it where a request comes in from a connection, and nowhere else: see `Reader`. */
export const shareReadTransaction = (db: ReadDb): void => directOf(db)?.shareReadTransaction?.()

/** Call it after a change that took personal data or a secret away: SQLite's log (WAL) would keep it until it is overwritten. */
export const eraseDeleted = (db: ReadDb): void => directOf(db)?.eraseDeleted?.()

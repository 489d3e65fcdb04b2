import { type CompiledQuery, type Dialect, Kysely } from 'kysely'
import type { Database, ReadDb } from './database.ts'
import type { RendererSource } from './text-stream.ts'

/** Runs a compiled query outside of any transaction; synchronously on SQLite. */
export type DirectRead = (query: DirectQuery) => unknown[] | Promise<unknown[]>

/** `quick`: always found by an index. `costly`: may take long; SQLite runs it on a worker thread. */
export type Cost = 'quick' | 'unsure' | 'costly'

export interface DirectQuery extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  readonly cost: Cost
}

/** Streams the text that a renderer makes of the rows of a query, from one snapshot. */
export type TextStream = (
  query: Pick<DirectQuery, 'sql' | 'parameters'>,
  renderer: RendererSource,
) => AsyncGenerator<string>

/** The shortest way to a database. */
export interface Direct {
  readonly read: DirectRead
  readonly streamText: TextStream
  /** Lets the reads of this turn of the event loop share one transaction. Call it when a request arrives. */
  readonly shareReadTransaction?: () => void
  /** Removes deleted and overwritten data from the database's log soon, off the hot path. */
  readonly eraseDeleted?: () => void
}

/** The database outside of any transaction, with a way around Kysely's layers, which cost more than a small query. */
export class DirectKysely extends Kysely<Database> {
  readonly direct: Direct
  constructor({ dialect, direct }: { readonly dialect: Dialect; readonly direct: Direct }) {
    super({ dialect })
    this.direct = direct
  }
}

const directOf = (db: ReadDb): Direct | undefined => (db instanceof DirectKysely ? db.direct : undefined)

/** Undefined for a transaction, which must read on its own connection. */
export const findDirectRead = (db: ReadDb): DirectRead | undefined => directOf(db)?.read

/** Call it only where a request arrives on a connection: see `Reader`. */
export const shareReadTransaction = (db: ReadDb): void => directOf(db)?.shareReadTransaction?.()

/** Call it after a change that took personal data or a secret away: SQLite's log (WAL) would keep it until it is overwritten. */
export const eraseDeleted = (db: ReadDb): void => directOf(db)?.eraseDeleted?.()

/** See `TextStream`. Only outside of a transaction. */
export function streamRows(db: ReadDb, ...[query, renderer]: Parameters<TextStream>): AsyncGenerator<string> {
  const direct = directOf(db)
  if (direct === undefined) throw new Error('only an open database is streamed, not a transaction')
  return direct.streamText(query, renderer)
}

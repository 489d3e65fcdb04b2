import { type CompiledQuery, type Dialect, Kysely } from 'kysely'
import type { Database, ReadDb, RootDb } from './database.ts'
import type { Replicas } from './replicas.ts'
import type { RendererSource } from './text-stream.ts'

/** Runs a compiled query outside of any transaction; synchronously on SQLite. */
export type DirectRead = (query: DirectQuery) => unknown[] | Promise<unknown[]>

/** `quick`: always found by an index. `costly`: may take long; SQLite runs it on a worker thread. */
export type Cost = 'quick' | 'unsure' | 'costly'

/** A query that looks at more rows than this may delay other requests. */
export const manyRows = 20_000

export interface DirectQuery extends Pick<CompiledQuery, 'sql' | 'parameters'> {
  readonly cost: Cost
}

/** Streams the text that a renderer makes of the rows of a query, from one snapshot. */
export type TextStream = (
  query: Pick<DirectQuery, 'sql' | 'parameters'>,
  renderer: RendererSource,
) => AsyncGenerator<Uint8Array>

/** The connections of a pool. */
export interface PoolState {
  readonly used: number
  readonly idle: number
  /** How many wait for a connection. */
  readonly waiting: number
}

/** A connection outside of the pool, without timeouts. */
export interface Apart {
  readonly query: <Row>(sql: string, parameters?: readonly unknown[]) => Promise<Row[]>
  readonly end: () => Promise<void>
}

/** The shortest way to a database. */
export interface Direct {
  readonly read: DirectRead
  readonly streamText: TextStream
  /** See `backgroundOf`. */
  readonly background?: Kysely<Database>
  /** See `isWriteAwaited`. Undefined where nobody knows. */
  readonly isWriteAwaited?: () => boolean
  /** Lets the reads of this turn of the event loop share one transaction. Call it when a request arrives. */
  readonly shareReadTransaction?: () => void
  /** Undefined where there is no pool. */
  readonly pool?: () => PoolState
  /** Opens a connection outside of the pool. Undefined where there is no pool. */
  readonly openApart?: () => Promise<Apart>
  /** Removes deleted and overwritten data from the database's log soon, off the hot path. */
  readonly eraseDeleted?: () => void
}

/** The database outside of any transaction, with a way around Kysely's layers, which cost more than a small query. */
export class DirectKysely extends Kysely<Database> {
  readonly direct: Direct
  replicas: Replicas | undefined
  constructor({ dialect, direct }: { readonly dialect: Dialect; readonly direct: Direct }) {
    super({ dialect })
    this.direct = direct
  }

  override async destroy(): Promise<void> {
    await this.replicas?.stop()
    await this.direct.background?.destroy()
    await super.destroy()
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
export function streamRows(db: ReadDb, ...[query, renderer]: Parameters<TextStream>): AsyncGenerator<Uint8Array> {
  const direct = directOf(db)
  if (direct === undefined) throw new Error('only an open database is streamed, not a transaction')
  return direct.streamText(query, renderer)
}

/**
 * The same database for transactions that write much. On SQLite their statements and their commit run on a thread of its
 * own, so that the event loop stays free. Nothing but transactions runs on it.
 */
export const backgroundOf = (db: RootDb): RootDb => directOf(db)?.background ?? db

/** True if somebody in this process waits to write, or may: a transaction that could go on should end then. */
export const isWriteAwaited = (db: RootDb): boolean => directOf(db)?.isWriteAwaited?.() ?? true

/** Undefined where there is no pool. */
export const findPoolState = (db: ReadDb): PoolState | undefined => directOf(db)?.pool?.()

/** Undefined where there is no pool. */
export const findApart = (db: RootDb): Direct['openApart'] => directOf(db)?.openApart

export const findReplicas = (db: ReadDb): Replicas | undefined => (db instanceof DirectKysely ? db.replicas : undefined)

/** Runs a long read on a replica, if there is one that has all that this user has changed. */
export const readAside = <T>(db: ReadDb, userId: number | null, work: (db: ReadDb) => Promise<T>): Promise<T> =>
  findReplicas(db)?.read(userId, work) ?? work(db)

/** The database for a read that is streamed. */
export const chooseAside = async (db: ReadDb, userId: number | null): Promise<ReadDb> =>
  (await findReplicas(db)?.choose(userId)) ?? db

import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledQuery, QueryResult } from 'kysely'
import type { MaybePromise } from '../core/maybe-promise.ts'

/** The transaction around the code that is running. */
export interface Running {
  /** Where it was begun: function and file. */
  readonly begunAt: () => string
  /** False while it waits for its connection or lock. */
  isOpen: boolean
  /** Its connection, as soon as it has one. */
  session?: Session
}

/** The connection of a transaction without Kysely's layers, which together cost more than a small statement. */
export interface Session {
  /** Runs a statement; synchronously on SQLite. Those that are sent before the first is answered run in that order. */
  readonly run: (query: CompiledQuery) => MaybePromise<QueryResult<unknown>>
}

const sessions = new WeakMap<object, Session>()

/** The connection behind the handle of an open transaction; undefined for any other. */
export const findSession = (db: object): Session | undefined => sessions.get(db)

/** Lets prepared statements on this handle go straight to the transaction's connection. Returns the function that ends it. */
export function openSession(db: object, { session }: Running): () => void {
  if (session !== undefined) sessions.set(db, session)
  return () => sessions.delete(db)
}

const running = new AsyncLocalStorage<Running>()

/** A query bypassed the transaction that it should be part of. */
class OutsideTransactionError extends Error {
  override readonly name = 'OutsideTransactionError'
}

const place = /^\s+at (.+)$/

/** What only passes a plugin's transaction on. */
const passing = /\/plugin-host\/host\.\w+:/

/** The place of the caller of `from`. Only two frames are captured, and formatted on demand: every transaction pays for this. */
function callSite(from: (...parameters: never[]) => unknown): () => string {
  const mark: { stack?: string } = {}
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 2
  Error.captureStackTrace(mark, from)
  Error.stackTraceLimit = stackTraceLimit
  return () =>
    mark.stack
      ?.split('\n')
      .map((line) => place.exec(line)?.[1])
      .find((line) => line !== undefined && !passing.test(line)) ?? 'an unknown place'
}

/** Runs `work` as a transaction begun by `begin`. Throws inside another one, which would wait for its own lock. */
export function runTransaction<T>(
  begin: (...parameters: never[]) => unknown,
  work: (transaction: Running) => Promise<T>,
): Promise<T> {
  const outer = running.getStore()
  if (outer?.isOpen === true) {
    throw new OutsideTransactionError(
      `A transaction cannot begin inside another one (begun at ${outer.begunAt()}). Use the handle that its function was given.`,
    )
  }
  const transaction: Running = { begunAt: callSite(begin), isOpen: false }
  return running.run(transaction, () => work(transaction))
}

/** The transaction that is waiting for a connection. */
export const waitingTransaction = (): Running | undefined => running.getStore()

/** Gives the transaction that begins now its connection. */
export function noteSession(session: Session): void {
  const beginning = running.getStore()
  if (beginning !== undefined) beginning.session = session
}

/** Refuses a query on the database itself while a transaction is open: it would miss its changes, or wait for its lock for ever. */
export function assertOutsideTransaction(): void {
  const open = running.getStore()
  if (open?.isOpen !== true) return
  throw new OutsideTransactionError(
    `This query is not part of the transaction around it (begun at ${open.begunAt()}). Use the \`db\` of the handle that its function was given.`,
  )
}

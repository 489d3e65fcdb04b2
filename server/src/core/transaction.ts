import type { Db, RootDb } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { isAborted } from '../db/failures.ts'
import { inTransaction } from '../db/transaction.ts'
import type { OutboxWriter } from '../outbox/outbox.ts'
import type { Actor, Context, RecordedEvent, Tx } from './context.ts'

/**
 * Checks the actor again in a transaction; throws 401 or 403 if they may no longer do what they began. Returns the same object
 * if nothing about them has changed. `isContended`: others want the same rows, so it locks in the order that deadlocks with none.
 */
export type ReadActor = (tx: Omit<Tx, 'actor'>, actor: Actor, isContended: boolean) => Promise<Actor>

/** From this attempt on, a transaction counts as contended. */
const contendedAttempt = 3

/** What becomes of the recorded events. */
export interface EventWriter {
  /** Writes what leaves the service, at the end of the transaction: the objects are then as the change leaves them. */
  readonly write: (db: Db, recorded: readonly RecordedEvent[]) => Promise<void>
  /** Hears that events were committed. */
  readonly wake: () => void
}

/** The actor is not what they were when the request was authenticated, or it cannot be told. */
class ActorChangedError extends Error {
  override readonly name = 'ActorChangedError'
}

/**
 * Runs `work` for the actor of the request while they are checked. PostgreSQL runs what `work` sends after the check, so nothing
 * is gained by waiting for its answer. Throws what the check throws, and `ActorChangedError` if the actor has changed.
 */
async function workAhead<T>(actor: Actor, check: Promise<Actor>, work: (actor: Actor) => Promise<T>): Promise<T> {
  const [checked, worked] = await Promise.allSettled([check, work(actor)])
  if (checked.status === 'rejected') throw isAborted(checked.reason) ? new ActorChangedError() : checked.reason
  if (checked.value !== actor) throw new ActorChangedError()
  if (worked.status === 'rejected') throw worked.reason
  return worked.value
}

/** Makes `Context.transaction` and its twin for long work, the only ways to change anything. */
export function transactionOn(
  ctx: Omit<Context, 'transaction' | 'backgroundTransaction'>,
  db: RootDb,
  readActor: ReadActor,
  events: EventWriter,
): Context['transaction'] {
  return async function transaction(actor, work) {
    let outbox: OutboxWriter | undefined
    let recorded: RecordedEvent[] = []
    let isAhead = isPostgres(db)
    let attempts = 0
    const perform = async (db: Db) => {
      outbox = ctx.outbox.writerFor(db)
      const { clock, config, log, sealer, plugins } = ctx
      recorded = []
      const opened = { db, outbox, recorded, clock, config, log, sealer, plugins }
      const workFor = (current: Actor) => work({ ...opened, actor: current })
      const check = readActor(opened, actor, ++attempts >= contendedAttempt)
      const result = await (isAhead ? workAhead(actor, check, workFor) : workFor(await check))
      if (recorded.length > 0) await events.write(db, recorded)
      await actor.origin.claim?.settle(db, result)
      return result
    }
    const commit = () => inTransaction(db, perform, transaction)
    const complete = () =>
      commit().catch((error) => {
        if (!(error instanceof ActorChangedError)) throw error
        isAhead = false
        return commit()
      })
    const result = await (ctx.telemetry === undefined ? complete() : ctx.telemetry.step('transaction', complete))
    if (outbox?.hasWritten() === true) ctx.outbox.wake()
    if (recorded.length > 0) events.wake()
    return result
  }
}

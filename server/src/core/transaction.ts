import type { Db, RootDb } from '../db/database.ts'
import { inTransaction } from '../db/transaction.ts'
import type { OutboxWriter } from '../outbox/outbox.ts'
import type { Actor, Context, RecordedEvent, Tx } from './context.ts'

/** Checks the actor again in a transaction; throws 401 or 403 if they may no longer do what they began. */
export type ReadActor = (tx: Omit<Tx, 'actor'>, actor: Actor) => Promise<Actor>

/** What becomes of the recorded events. */
export interface EventWriter {
  /** Writes what leaves the service, at the end of the transaction: the objects are then as the change leaves them. */
  readonly write: (db: Db, recorded: readonly RecordedEvent[]) => Promise<void>
  /** Hears that events were committed. */
  readonly wake: () => void
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
    const perform = async (db: Db) => {
      outbox = ctx.outbox.writerFor(db)
      const { clock, config, log, sealer, plugins } = ctx
      recorded = []
      const opened = { db, outbox, recorded, clock, config, log, sealer, plugins }
      const result = await work({ ...opened, actor: await readActor(opened, actor) })
      if (recorded.length > 0) await events.write(db, recorded)
      await actor.origin.claim?.settle(db, result)
      return result
    }
    const commit = () => inTransaction(db, perform, transaction)
    const result = await (ctx.telemetry === undefined ? commit() : ctx.telemetry.step('transaction', commit))
    if (outbox?.hasWritten() === true) ctx.outbox.wake()
    if (recorded.length > 0) events.wake()
    return result
  }
}

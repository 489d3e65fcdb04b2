import { inTransaction } from '../db/transaction.ts'
import type { OutboxWriter } from '../delivery/outbox.ts'
import type { Actor, Context, Tx } from './context.ts'

/** Checks the actor again in a transaction; throws 401 or 403 if they may no longer do what they began. */
export type ReadActor = (tx: Omit<Tx, 'actor'>, actor: Actor) => Promise<Actor>

/** Makes `Context.transaction`, the only way to change anything. */
export function transactionOn(ctx: Omit<Context, 'transaction'>, readActor: ReadActor): Context['transaction'] {
  return async function transaction(actor, work) {
    let outbox: OutboxWriter | undefined
    const result = await inTransaction(
      ctx.unguarded,
      async (db) => {
        outbox = ctx.outbox.writerFor(db)
        const { clock, config, log, sealer, plugins } = ctx
        const opened = { db, outbox, clock, config, log, sealer, plugins }
        const result = await work({ ...opened, actor: await readActor(opened, actor) })
        await actor.origin.claim?.settle(db, result)
        return result
      },
      transaction,
    )
    if (outbox?.hasWritten() === true) ctx.outbox.wake()
    return result
  }
}

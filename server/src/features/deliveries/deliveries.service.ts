import type { Actor, Context } from '../../core/context.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import type { DeliveryRow } from '../../delivery/deliveries.table.ts'
import { mergeAll } from '../../delivery/merge.ts'
import { worthMs } from '../../delivery/outbox.ts'
import { recordActivity } from '../activity/activity.service.ts'
import type { Delivery } from './deliveries.schemas.ts'

const deliveryErrors = defineErrors({
  delivery_not_waiting: [422, 'Only a message that failed or is queued can be sent again.'],
  delivery_body_erased: [422, 'This message held a token or code, which is no longer kept. Have a new one sent.'],
})

/** Whether the text may be shown, where it is kept. */
export const isReadable = ({ secret, status }: DeliveryRow): boolean => secret === 0 || status === 'captured'

/** The message as answers show it. A token or code is shown in no answer, unless it was captured to be read here. */
function toDelivery(row: DeliveryRow): Delivery {
  const readable = isReadable(row)
  return {
    id: row.id,
    kind: row.kind,
    template: row.template,
    status: row.status,
    user_id: row.user_id,
    recipient: row.recipient,
    subject: row.subject,
    body_text: readable ? row.body_text : null,
    body_html: readable ? row.body_html : null,
    message_id: row.message_id,
    attempts: row.attempts,
    last_error: row.last_error,
    next_try_at: row.status === 'queued' ? toTimestamp(new Date(row.due_ms)) : null,
    created_at: row.created_at,
    updated_at: row.updated_at,
    sent_at: row.sent_at,
  }
}

/** Messages as answers show them, each with its text, wherever that is kept. */
export async function toDeliveries(db: Db, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  return (await mergeAll(db, rows)).map(toDelivery)
}

/** A message as answers show it; throws `not_found`. */
export const readDelivery = async (db: Db, id: number): Promise<Delivery> => toDelivery(await getDelivery(db, id))

/** A message's row with its texts; throws `not_found`. */
export async function getDelivery(db: Db, id: number): Promise<DeliveryRow> {
  const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
  const [merged] = row === undefined ? [] : await mergeAll(db, [row])
  if (merged === undefined) throw errors.not_found()
  return merged
}

const keptDays = 90

/** Removes the messages that are done with and old: addresses are not kept for ever. */
export async function removeOldDeliveries(ctx: Context): Promise<void> {
  const until = toTimestamp(new Date(ctx.clock().getTime() - keptDays * 24 * 3_600_000))
  await ctx.db
    .deleteFrom('deliveries')
    .where('status', 'in', ['sent', 'failed', 'captured'])
    .where('created_at', '<', until)
    .execute()
  await ctx.db
    .deleteFrom('delivery_bodies')
    .where('created_at', '<', until)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('deliveries').select('id').whereRef('body_id', '=', 'delivery_bodies.id'))),
    )
    .execute()
}

/** Has a message that failed or waits sent at once, and tried for another two days. */
export async function retryDelivery(ctx: Context, actor: Actor, id: number): Promise<Delivery> {
  const delivery = await ctx.transaction(async (db) => {
    const now = ctx.clock()
    const changes = { status: 'queued', due_ms: now.getTime(), updated_at: toTimestamp(now) } as const
    // One conditional UPDATE: a worker that takes the message meanwhile has it to itself.
    const queued = await db
      .updateTable('deliveries')
      .set((eb) => ({
        ...changes,
        // What is secret is of no use for longer than was said when it was written.
        give_up_ms: eb
          .case()
          .when('secret', '=', 1)
          .then(eb.ref('give_up_ms'))
          .else(now.getTime() + worthMs)
          .end(),
      }))
      .where('id', '=', id)
      .where('status', 'in', ['failed', 'queued'])
      .where((is) => is.or([is('body_text', 'is not', null), is('body_id', 'is not', null)]))
      .returningAll()
      .executeTakeFirst()
    if (queued === undefined) return refuse(db, id)
    await recordActivity(ctx, db, actor, 'delivery.retried', { type: 'delivery', id })
    const [merged] = await mergeAll(db, [queued])
    return toDelivery(merged ?? queued)
  })
  ctx.outbox.wake()
  return delivery
}

async function refuse(db: Db, id: number): Promise<never> {
  const { status } = await getDelivery(db, id)
  throw status === 'failed' ? deliveryErrors.delivery_body_erased() : deliveryErrors.delivery_not_waiting()
}

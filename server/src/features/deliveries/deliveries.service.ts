import type { Actor, Context, Reads } from '../../core/context.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { daysAgo, toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import type { DeliveryRow } from '../../outbox/deliveries.table.ts'
import { mergeAll } from '../../outbox/merge.ts'
import { retryForMs } from '../../outbox/outbox.ts'
import { openSecrets } from '../../outbox/secrets.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { coversRole } from '../roles/roles.service.ts'
import type { Delivery } from './deliveries.schemas.ts'

const deliveryErrors = defineErrors({
  delivery_not_waiting: [422, 'Only a message that failed or is queued can be sent again.'],
  delivery_body_erased: [422, 'This message held a token or code, which is no longer kept. Have a new one sent.'],
})

/**
 * Which of these messages the actor may read. A message with a secret link or code can give access to its recipient's
 * account. It is shown only if it was captured, or will be, and only to users who hold every permission of the recipient.
 */
async function readableBy(
  { db, config }: Pick<Reads, 'db' | 'config'>,
  actor: Actor,
  rows: readonly DeliveryRow[],
): Promise<(row: DeliveryRow) => boolean> {
  const recipients = new Set(rows.flatMap((row) => (row.secret === 1 && row.user_id !== null ? [row.user_id] : [])))
  const users =
    recipients.size === 0
      ? []
      : await db
          .selectFrom('users')
          .select(['id', 'role_id'])
          .where('id', 'in', [...recipients])
          .execute()
  const covered = new Set<number>()
  for (const { id, role_id } of users) {
    if (await coversRole(db, actor.permissions, role_id)) covered.add(id)
  }
  const isCovered = ({ user_id }: DeliveryRow) =>
    user_id === null ? actor.permissions === 'all' : covered.has(user_id)
  // Messages that wait to be captured, too: programs read a code as soon as the request that sends it is answered.
  const isCaptured = ({ kind, status }: DeliveryRow) =>
    status === 'captured' || ((status === 'queued' || status === 'sending') && config[kind] === null)
  return (row) => row.secret === 0 || (isCaptured(row) && isCovered(row))
}

/** The message as answers show it. */
function toDelivery(row: DeliveryRow, readable: boolean): Delivery {
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

/** Messages as answers show them to the actor, each with its text, wherever that is stored. */
export async function toDeliveries(from: Reads, actor: Actor, rows: readonly DeliveryRow[]): Promise<Delivery[]> {
  const isReadable = await readableBy(from, actor, rows)
  return (await mergeAll(from.db, rows)).map((row) => toDelivery(openSecrets(from.sealer, row), isReadable(row)))
}

/** A message as answers show it to the actor; throws `not_found`. */
export async function readDelivery(from: Reads, actor: Actor, id: number): Promise<Delivery> {
  const [delivery] = await toDeliveries(from, actor, [await getDelivery(from.db, id)])
  return delivery as Delivery
}

/** A message's row with its texts, if the actor may read them; throws `not_found`. */
export async function getReadableDelivery(from: Reads, actor: Actor, id: number): Promise<DeliveryRow> {
  const row = await getDelivery(from.db, id)
  if (!(await readableBy(from, actor, [row]))(row)) throw errors.not_found()
  return openSecrets(from.sealer, row)
}

/** A message's row with its texts, without a permission check; throws `not_found`. */
async function getDelivery(db: ReadDb, id: number): Promise<DeliveryRow> {
  const row = await db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirst()
  const [merged] = row === undefined ? [] : await mergeAll(db, [row])
  if (merged === undefined) throw errors.not_found()
  return merged
}

const keptDays = 90

/** Removes old finished messages: addresses are not kept for ever. */
export async function removeOldDeliveries(ctx: Context): Promise<void> {
  const until = daysAgo(ctx.clock, keptDays)
  await deleteInPieces(ctx.unguarded, 'deliveries', ['id'], (eb) =>
    eb.and([eb('status', 'in', ['sent', 'failed', 'captured']), eb('created_at', '<', until)]),
  )
  await deleteInPieces(ctx.unguarded, 'delivery_bodies', ['id'], (eb) =>
    eb.and([
      eb('created_at', '<', until),
      eb.not(eb.exists(eb.selectFrom('deliveries').select('id').whereRef('body_id', '=', 'delivery_bodies.id'))),
    ]),
  )
}

/** Sends a failed or queued message at once and retries it for another two days. */
export async function retryDelivery(ctx: Context, actor: Actor, id: number): Promise<Delivery> {
  const delivery = await ctx.transaction(actor, async (tx) => {
    const now = tx.clock()
    const changes = { status: 'queued', due_ms: now.getTime(), updated_at: toTimestamp(now) } as const
    // One conditional UPDATE: a worker that claims the message in the meantime keeps it.
    const queued = await tx.db
      .updateTable('deliveries')
      .set((eb) => ({
        ...changes,
        // A secret expires when its text said so, however late it is sent.
        give_up_ms: eb
          .case()
          .when('secret', '=', 1)
          .then(eb.ref('give_up_ms'))
          .else(now.getTime() + retryForMs)
          .end(),
      }))
      .where('id', '=', id)
      .where('status', 'in', ['failed', 'queued'])
      .where((is) => is.or([is('body_text', 'is not', null), is('body_id', 'is not', null)]))
      .returningAll()
      .executeTakeFirst()
    if (queued === undefined) return refuse(tx.db, id)
    await recordActivity(tx, tx.actor, 'delivery.retried', { type: 'delivery', id })
    return readDelivery(tx, tx.actor, id)
  })
  ctx.outbox.wake()
  return delivery
}

async function refuse(db: ReadDb, id: number): Promise<never> {
  const { status } = await getDelivery(db, id)
  throw status === 'failed' ? deliveryErrors.delivery_body_erased() : deliveryErrors.delivery_not_waiting()
}

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor, Context, Reads, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { daysAgo } from '../../core/time.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { lastRecordedId, recordActivity } from '../activity/activity.service.ts'
import { sequenceJob } from '../activity/event-writer.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import type { EventRow } from '../events/payload.ts'
import { readEvent } from '../events/read-events.ts'
import { deliverJob } from './delivery/job.ts'
import { enqueueMatching, hastenMatching, removeMessagesWithoutEvent } from './enqueue.ts'
import { bodyOf, messageIdOf, subjectOf } from './messages.ts'
import type { ReplayWebhook, WebhookAttempt, WebhookAttemptDetails } from './webhooks.schemas.ts'
import { getLockedWebhook, webhookErrors } from './webhooks.service.ts'
import type { WebhookAttemptRow, WebhookRow } from './webhooks.table.ts'

async function getEnabled(tx: Tx, id: number): Promise<WebhookRow> {
  const row = await getLockedWebhook(tx, id)
  if (row.enabled === 0) throw webhookErrors.webhook_disabled()
  return row
}

/** Records `webhook.tested`, which this webhook gets whatever its patterns are; returns the message's id. */
export async function testWebhook(ctx: Context, actor: Actor, id: number): Promise<string> {
  const messageId = await ctx.transaction(actor, async (tx) => {
    await getEnabled(tx, id)
    await recordActivity(tx, tx.actor, 'webhook.tested', { type: 'webhook', id })
    return messageIdOf(tx.sealer, await lastRecordedId(tx))
  })
  ctx.jobs.wake(sequenceJob)
  return messageId
}

export const toAttempt =
  ({ sealer }: Pick<Reads, 'sealer'>) =>
  ({ webhook_id: _, activity_id, ...row }: WebhookAttemptRow): WebhookAttempt => ({
    ...row,
    message_id: messageIdOf(sealer, activity_id),
  })

/** The attempts to send to one webhook, as the condition of a list. */
export const attemptScope = (webhookId: number): RawBuilder<SqlBool> => sql`webhook_id = ${webhookId}`

async function getAttempt({ db }: Reads, id: number, attempt: number): Promise<WebhookAttemptRow> {
  const row = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('id', '=', attempt)
    .where('webhook_id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw errors.not_found()
  return row
}

/** An attempt with its request; throws `not_found`. */
export async function readAttempt(from: Reads, id: number, attempt: number): Promise<WebhookAttemptDetails> {
  const row = await getAttempt(from, id, attempt)
  const event = await readEvent(from.db, row.activity_id)
  return { ...toAttempt(from)(row), request: event === undefined ? null : bodyOf(event, from.config) }
}

async function enqueue(tx: Tx, webhookId: number, event: EventRow): Promise<void> {
  const subject = subjectOf(event)
  await tx.db
    .insertInto('webhook_messages')
    .values({
      webhook_id: webhookId,
      position: event.position,
      activity_id: event.id,
      subject,
      attempts: 0,
      due_ms: tx.clock().getTime(),
    })
    .onConflict((conflict) =>
      conflict.columns(['webhook_id', 'position']).doUpdateSet({ due_ms: tx.clock().getTime() }),
    )
    .execute()
}

/** Sends the message of an attempt again, soon; returns its id. */
export async function retryAttempt(ctx: Context, actor: Actor, id: number, attempt: number): Promise<string> {
  const messageId = await ctx.transaction(actor, async (tx) => {
    const { activity_id } = await getAttempt(tx, id, attempt)
    await getEnabled(tx, id)
    const event = await readEvent(tx.db, activity_id)
    if (event === undefined) throw webhookErrors.webhook_event_gone()
    await enqueue(tx, id, event)
    return messageIdOf(tx.sealer, activity_id)
  })
  ctx.jobs.wake(deliverJob)
  return messageId
}

/**
 * Sends the matching events of a period now, whether they were sent or wait for their next attempt; returns the number of messages.
 * One transaction, however many they are: between two, a new event would be sent before older ones about its subject.
 */
export async function replayWebhook(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<ReplayWebhook>,
): Promise<number> {
  await sequenceAll(ctx)
  const count = await ctx.backgroundTransaction(actor, async (tx) => {
    const webhook = await getEnabled(tx, id)
    const { from, to } = draft.given
    if (from !== undefined && to !== undefined && from > to)
      draft.reject('to', 'The to field must not lie before the from field.')
    const range = draft.accept()
    const isMeant = sql<SqlBool>`c.position <= q.cursor and a.created_at >= ${range.from} and a.created_at <= ${range.to}`
    const now = tx.clock().getTime()
    await enqueueMatching(tx.db, webhook, isMeant, now)
    return hastenMatching(tx.db, id, isMeant, now)
  })
  ctx.jobs.wake(deliverJob)
  return count
}

const keptDays = 30

/** Removes old attempts, and messages that cannot be sent any more. */
export async function cleanWebhooks({ unguarded, clock }: Context): Promise<void> {
  const now = clock().getTime()
  const before = daysAgo(clock, keptDays)
  await deleteInPieces(unguarded, 'webhook_attempts', ['id'], (eb) => eb('created_at', '<', before))
  await removeMessagesWithoutEvent(unguarded, now)
}

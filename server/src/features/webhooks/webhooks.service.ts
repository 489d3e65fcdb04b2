import { randomBytes } from 'node:crypto'
import type { Actor, Context, Reads, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { dayMs, toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { forUpdate, liftStatementTimeout } from '../../db/dialect.ts'
import { lastRecordedId, recordActivity } from '../activity/activity.service.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { findHead } from '../events/read-events.ts'
import { keepBacklog } from './enqueue.ts'
import { checkWebhook } from './webhook-rules.ts'
import type { CreateWebhook, UpdateWebhook, Webhook, WebhookWithSecret } from './webhooks.schemas.ts'
import type { WebhookRow } from './webhooks.table.ts'

export const webhookErrors = defineErrors({
  webhook_disabled: [422, 'This webhook is switched off. Switch it on first.'],
  webhook_event_gone: [422, 'This event is not kept any more.'],
})

/** For how long the secret before a rotation signs, too. */
const oldSecretMs = dayMs
const sealedFor = 'webhook secret'

/** `whsec_` and 32 random bytes in base64, as Standard Webhooks says. */
const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

type ShownRow = Pick<
  WebhookRow,
  'id' | 'url' | 'events' | 'description' | 'enabled' | 'disabled_reason' | 'created_at' | 'updated_at'
>

const toWebhook = (row: ShownRow, failingSinceMs: number | null): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events),
  description: row.description,
  enabled: row.enabled === 1,
  disabled_reason: row.disabled_reason,
  failing_since: failingSinceMs === null ? null : toTimestamp(new Date(failingSinceMs)),
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** Webhooks as answers show them. */
export async function toWebhooks(db: ReadDb, rows: readonly ShownRow[]): Promise<Webhook[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const queues = await db
    .selectFrom('webhook_queues')
    .select(['webhook_id', 'failing_since_ms'])
    .where('webhook_id', 'in', ids)
    .execute()
  const since = new Map(queues.map(({ webhook_id, failing_since_ms }) => [webhook_id, failing_since_ms]))
  return rows.map((row) => toWebhook(row, since.get(row.id) ?? null))
}

const findWebhook = (db: ReadDb, id: number): Promise<WebhookRow | undefined> =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()

/** A webhook as answers show it; throws `not_found`. */
export async function readWebhook(db: ReadDb, id: number): Promise<Webhook> {
  const row = await findWebhook(db, id)
  if (row === undefined) throw errors.not_found()
  const [webhook] = await toWebhooks(db, [row])
  return webhook as Webhook
}

/** A webhook's row, locked in a transaction; throws `not_found`. */
export async function getLockedWebhook(tx: Tx, id: number): Promise<WebhookRow> {
  const row = await forUpdate(tx.db)(tx.db.selectFrom('webhooks').selectAll().where('id', '=', id)).executeTakeFirst()
  if (row === undefined) throw errors.not_found()
  return row
}

/** The secrets that sign now, the newest first. */
export function secretsOf({ sealer, clock }: Pick<Reads, 'sealer' | 'clock'>, row: WebhookRow): string[] {
  const isOldAlive = row.old_secret !== null && (row.old_secret_until_ms ?? 0) > clock().getTime()
  const sealed = isOldAlive ? [row.secret, row.old_secret ?? ''] : [row.secret]
  return sealed.map((secret) => sealer.open(secret, sealedFor))
}

/** The webhook gets what is recorded from now on, without the event that switched it on. */
async function beginNow(tx: Tx, id: number): Promise<void> {
  const fromId = await lastRecordedId(tx)
  await tx.db.updateTable('webhooks').set({ from_id: fromId }).where('id', '=', id).execute()
  const cursor = await findHead(tx.db)
  await tx.db
    .updateTable('webhook_queues')
    .set({ cursor, failing_since_ms: null })
    .where('webhook_id', '=', id)
    .execute()
}

/** Creates a webhook. The secret exists only in `secret` of the result. */
export async function createWebhook(
  ctx: Context,
  actor: Actor,
  draft: Draft<CreateWebhook>,
): Promise<WebhookWithSecret> {
  const secret = newSecret()
  await sequenceAll(ctx) // what happened before has its place, which is before the webhook's
  return ctx.transaction(actor, async (tx) => {
    checkWebhook(tx, draft)
    const { url, events, description = null, enabled = true } = draft.accept()
    const now = toTimestamp(tx.clock())
    const row = await tx.db
      .insertInto('webhooks')
      .values({
        url,
        events: JSON.stringify([...new Set(events)]),
        description,
        enabled: enabled ? 1 : 0,
        disabled_reason: enabled ? null : 'administrator',
        secret: tx.sealer.seal(secret, sealedFor),
        from_id: 0,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.db.insertInto('webhook_queues').values({ webhook_id: row.id, cursor: 0 }).execute()
    await recordActivity(tx, tx.actor, 'webhook.created', { type: 'webhook', id: row.id })
    await beginNow(tx, row.id)
    return { ...toWebhook(row, null), secret }
  })
}

export async function updateWebhook(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<UpdateWebhook>,
): Promise<Webhook> {
  await sequenceAll(ctx)
  const transaction = draft.given.enabled === false ? ctx.backgroundTransaction : ctx.transaction // switching off queues what is left
  return transaction(actor, async (tx) => {
    const row = await getLockedWebhook(tx, id)
    checkWebhook(tx, draft)
    const { url, events, description, enabled } = draft.accept()
    const wanted = {
      url: url ?? row.url,
      events: events === undefined ? row.events : JSON.stringify([...new Set(events)]),
      description: description === undefined ? row.description : description,
      enabled: enabled === undefined ? row.enabled : Number(enabled),
    }
    const fields = (['url', 'events', 'description', 'enabled'] as const).filter((name) => wanted[name] !== row[name])
    if (fields.length > 0) {
      const reason = wanted.enabled === 1 ? null : (row.disabled_reason ?? 'administrator')
      await tx.db
        .updateTable('webhooks')
        .set({ ...wanted, disabled_reason: reason, updated_at: toTimestamp(tx.clock()) })
        .where('id', '=', id)
        .execute()
      await recordActivity(tx, tx.actor, 'webhook.updated', { type: 'webhook', id }, { fields })
      if (fields.includes('enabled')) await (wanted.enabled === 1 ? beginNow(tx, id) : keepBacklog(tx, row))
    }
    return readWebhook(tx.db, id)
  })
}

/** Gives a webhook a new secret. For a day both sign. */
export async function rotateWebhook(ctx: Context, actor: Actor, id: number): Promise<WebhookWithSecret> {
  const secret = newSecret()
  return ctx.transaction(actor, async (tx) => {
    const row = await getLockedWebhook(tx, id)
    const now = tx.clock()
    await tx.db
      .updateTable('webhooks')
      .set({
        secret: tx.sealer.seal(secret, sealedFor),
        old_secret: row.secret,
        old_secret_until_ms: now.getTime() + oldSecretMs,
        updated_at: toTimestamp(now),
      })
      .where('id', '=', id)
      .execute()
    await recordActivity(tx, tx.actor, 'webhook.updated', { type: 'webhook', id }, { fields: ['secret'] })
    return { ...(await readWebhook(tx.db, id)), secret }
  })
}

/** Deletes a webhook with what waits to be sent to it, and its attempts. */
export const deleteWebhook = (ctx: Context, actor: Actor, id: number): Promise<void> =>
  ctx.backgroundTransaction(actor, async (tx) => {
    await getLockedWebhook(tx, id)
    await liftStatementTimeout(tx.db)
    await tx.db.deleteFrom('webhooks').where('id', '=', id).execute()
    await recordActivity(tx, tx.actor, 'webhook.deleted', { type: 'webhook', id })
  })

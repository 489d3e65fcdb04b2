import { sql } from 'kysely'
import { expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createTestApp, startTestApp } from '../../testing/app.ts'
import { createTestDatabase } from '../../testing/databases.ts'
import { recordRoles, roleIds } from '../../testing/events.ts'
import { whileLocked } from '../../testing/lock-waits.ts'
import { countRowsRead } from '../../testing/rows-read.ts'
import { createWebhook } from '../../testing/webhooks.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { batch, type DueMessage, findDue } from './delivery/queue.ts'
import { pull, removeMessagesWithoutEvent } from './enqueue.ts'

const events = 30 * batch

interface Place {
  readonly position: number
  readonly activity_id: number
}

it.skipIf(inject('postgresUrl') === null)(
  'the next events of a long log are queued, and found, without reading the others',
  async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const { id } = await createWebhook(t, 'https://example.com/', ['role.updated'])
    await recordRoles(t, roleIds(events))
    await sequenceAll(t.ctx)
    const rows = t.ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id)
    const webhook = await rows.executeTakeFirstOrThrow()
    const now = t.ctx.clock().getTime()
    const tables = ['activity', 'activity_chain']

    await inTransaction(t.ctx.unguarded, async (db) => {
      const queue = () => pull(db, webhook, events / 2, events / 2 + batch, now)
      expect(await countRowsRead(db, tables, queue)).toBeLessThanOrEqual(4 * batch)
      let found: DueMessage[] = []
      const find = async () => {
        found = await findDue(db, id, now, batch)
      }
      expect(await countRowsRead(db, tables, find)).toBeLessThanOrEqual(4 * batch)
      expect(found).toHaveLength(batch)
    })
  },
)

it.skipIf(inject('postgresUrl') === null)('an event that is committed after the webhook was made is sent', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const isRecorded = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const late = t.ctx.transaction(systemActor, async (tx) => {
    await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id: 2 })
    isRecorded.resolve()
    await mayCommit.promise
  })
  await isRecorded.promise
  const { id } = await createWebhook(t, 'https://example.com/', ['*'])
  mayCommit.resolve()
  await late
  await sequenceAll(t.ctx)
  const webhook = await t.ctx.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await inTransaction(t.ctx.unguarded, (db) => pull(db, webhook, 0, 1_000, t.ctx.clock().getTime()))
  const queued = await t.ctx.db
    .selectFrom('webhook_messages')
    .innerJoin('activity', 'activity.id', 'webhook_messages.activity_id')
    .select('activity.event')
    .where('webhook_id', '=', id)
    .execute()
  expect(queued.map(({ event }) => event)).toContain('role.updated')
  expect(queued.map(({ event }) => event)).not.toContain('webhook.created')
})

it.skipIf(inject('postgresUrl') === null)(
  'what has much to queue, or to delete, takes as long as it needs',
  async () => {
    const database = await createTestDatabase(inject('postgresUrl'))
    const address = { kind: 'postgres', url: `${database.url}?statement_timeout=1s` } as const
    const t = await startTestApp(inject('postgresUrl'), {}, { database: { ...database, address } })
    onTestFinished(t.close)
    const { id } = await createWebhook(t, 'https://example.com/', ['role.*'])
    await recordRoles(t, roleIds(1))
    await sequenceAll(t.ctx)
    await sql`update webhook_queues set cursor = 1000`.execute(t.ctx.unguarded)
    await sql`create function wait() returns trigger language plpgsql as 'begin perform pg_sleep(1.5); return null; end'`.execute(
      t.ctx.unguarded,
    )
    await sql`create trigger slow after insert or delete on webhook_messages for each row execute function wait()`.execute(
      t.ctx.unguarded,
    )
    const body = { from: '2026-01-01 00:00:00', to: '2026-12-31 00:00:00' }
    expect((await t.call(`POST /webhooks/${id}/replay`, { body })).body).toEqual({ data: { messages: 1 } })
    expect((await t.call(`DELETE /webhooks/${id}`)).status).toBe(200)
  },
)

it.skipIf(inject('postgresUrl') === null)(
  'a message that is queued behind one whose event is gone, while that one is removed, is due',
  async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const { id } = await createWebhook(t, 'https://example.com/', ['role.updated'])
    await recordRoles(t, [2, 2])
    await sequenceAll(t.ctx)
    const { unguarded: db } = t.ctx
    const chained = db.selectFrom('activity_chain').select(['position', 'activity_id']).orderBy('position', 'desc')
    const [second, first] = (await chained.limit(2).execute()) as [Place, Place]
    const message = { webhook_id: id, subject: 'role 2', attempts: 0 }
    await db
      .insertInto('webhook_messages')
      .values({ ...message, ...first, due_ms: 0 })
      .execute()
    await db.deleteFrom('activity').where('id', '=', first.activity_id).execute()
    const queued = `insert into webhook_messages (webhook_id, subject, attempts, position, activity_id)
      values (${id}, 'role 2', 0, ${second.position}, ${second.activity_id})`
    const { removing } = await whileLocked(t.database.url, queued, async (untilWaiting) => {
      const removing = removeMessagesWithoutEvent(db, t.ctx.clock().getTime())
      await Promise.race([removing, untilWaiting(1)])
      return { removing }
    })
    await removing
    const left = await db.selectFrom('webhook_messages').select(['position', 'due_ms']).execute()
    expect(left).toEqual([{ position: second.position, due_ms: t.ctx.clock().getTime() }])
  },
)

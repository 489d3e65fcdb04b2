import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { inTransaction } from '../../db/transaction.ts'
import { createTestApp } from '../../testing/app.ts'
import { createWebhook } from '../../testing/webhooks.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { batch, findDue } from './delivery/queue.ts'
import { pull } from './enqueue.ts'
import type { WebhookRow } from './webhooks.table.ts'

const events = 30 * batch

/* SQLite does not count the rows that it reads. There, bench -- webhooks shows it. */
it.skipIf(inject('postgresUrl') === null)(
  'the next events of a long log are queued, and found, without reading the others',
  async () => {
    const { ctx, ...t } = await createTestApp(inject('postgresUrl'))
    const { id } = await createWebhook({ ctx, ...t }, 'https://example.com/', ['role.updated'])
    await ctx.transaction(systemActor, async (tx) => {
      for (let role = 0; role < events; role++)
        await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id: role + 1 })
    })
    await sequenceAll(ctx)
    const webhook = (await ctx.db
      .selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()) as WebhookRow
    const now = ctx.clock().getTime()

    await inTransaction(ctx.unguarded, async (db) => {
      const readRows = async () => {
        const { rows } = await sql<{ rows: number }>`
        select cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as int) as rows
        from pg_stat_xact_user_tables where relname in ('activity', 'activity_chain')`.execute(db)
        return rows[0]?.rows as number
      }
      const before = await readRows()
      await pull(db, webhook, events / 2, events / 2 + batch, now)
      expect((await readRows()) - before).toBeLessThanOrEqual(4 * batch)
      const found = await findDue(db, id, now, batch)
      expect(found.map(({ subject_id }) => subject_id)).toHaveLength(batch)
      expect((await readRows()) - before).toBeLessThanOrEqual(8 * batch)
    })
  },
)

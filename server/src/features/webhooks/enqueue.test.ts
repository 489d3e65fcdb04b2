import { expect, inject, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { createTestApp } from '../../testing/app.ts'
import { recordRoles, roleIds } from '../../testing/events.ts'
import { countRowsRead } from '../../testing/rows-read.ts'
import { createWebhook } from '../../testing/webhooks.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { batch, type DueMessage, findDue } from './delivery/queue.ts'
import { pull } from './enqueue.ts'

const events = 30 * batch

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

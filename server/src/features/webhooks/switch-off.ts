import { type Context, systemActor } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { mailAdministrators } from '../../mails/mail-administrators.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { keepBacklog } from './enqueue.ts'

/** Switches off a webhook that answered 410, or one that has failed for three days, of which administrators get a mail. */
export async function switchOff(ctx: Context, id: number, reason: 'gone' | 'failing'): Promise<void> {
  await sequenceAll(ctx) // what happened before has its place
  await ctx.backgroundTransaction(systemActor, async (tx) => {
    const at = toTimestamp(tx.clock())
    const row = await tx.db
      .updateTable('webhooks')
      .set({ enabled: 0, disabled_reason: reason, updated_at: at })
      .where('id', '=', id)
      .where('enabled', '=', 1)
      .returningAll()
      .executeTakeFirst()
    if (row === undefined) return
    await keepBacklog(tx, row)
    await recordActivity(tx, tx.actor, 'webhook.disabled', { type: 'webhook', id }, { reason })
    if (reason === 'gone') return
    await mailAdministrators(tx, 'webhook-disabled', (name) => ({ name, url: row.url, at }))
  })
}

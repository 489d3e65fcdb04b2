import { type Context, systemActor } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { nameOf } from '../../mails/name-of.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { adminRoleId } from '../roles/roles.table.ts'

/** Switches off a webhook that wants no more, or that took nothing for three days; then the administrators hear of it. */
export const switchOff = (ctx: Context, id: number, reason: 'gone' | 'failing'): Promise<void> =>
  ctx.transaction(systemActor, async (tx) => {
    const at = toTimestamp(tx.clock())
    const row = await tx.db
      .updateTable('webhooks')
      .set({ enabled: 0, disabled_reason: reason, updated_at: at })
      .where('id', '=', id)
      .where('enabled', '=', 1)
      .returning('url')
      .executeTakeFirst()
    if (row === undefined) return
    await recordActivity(tx, tx.actor, 'webhook.disabled', { type: 'webhook', id }, { reason })
    if (reason === 'gone') return
    const administrators = await tx.db
      .selectFrom('users')
      .select(['id', 'email', 'first_name', 'username', 'status', 'unconfirmed_since'])
      .where('role_id', '=', adminRoleId)
      .where('status', '=', 'Active')
      .execute()
    for (const administrator of administrators) {
      const data = { name: nameOf(administrator), url: row.url, at }
      await sendMail(tx, { template: 'webhook-disabled', to: administrator.email, userId: administrator.id, data })
    }
  })

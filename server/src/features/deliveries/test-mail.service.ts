import type { Actor, Context } from '../../core/context.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { getUser } from '../users/users.service.ts'
import type { Delivery } from './deliveries.schemas.ts'
import { readDelivery } from './deliveries.service.ts'

/** Queues a test mail to the caller's own address, so that nobody can send it to somebody else. */
export async function sendTestMail(ctx: Context, actor: Actor): Promise<Delivery> {
  return ctx.transaction(actor, async (tx) => {
    const { id: userId, email } = await getUser(tx.db, ownId(tx.actor))
    const id = await sendMail(tx, { template: 'test', to: email, userId, data: { at: toTimestamp(tx.clock()) } })
    return readDelivery(tx, tx.actor, id)
  })
}

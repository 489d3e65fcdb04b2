import type { Actor, Context, Tx } from '../../core/context.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { sendResetMail } from '../password-reset/password-reset.service.ts'
import { noPassword } from '../passwords/no-password.ts'
import { sendConfirmationNow } from '../registration/email-confirmation.service.ts'
import { assertMayMailMailbox } from '../registration/unproved-mail.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { assertMayManage, getLockedUser } from '../users/users.service.ts'
import { notWaiting } from './invitations.service.ts'

/* Mails with a link that an administrator sends to a user, one at a time or to many. */

const mailErrors = defineErrors({
  user_is_banned: [422, 'This account is banned.'],
  user_has_no_password: [422, 'This account has no password yet: send an invitation.'],
})

async function getManaged(tx: Tx, id: number): Promise<UserRow> {
  const user = await getLockedUser(tx.db, id)
  await assertMayManage(tx.db, tx.actor, user)
  return user
}

/** Why a user gets no reset mail; undefined if they do. */
export const whyNoReset = (user: UserRow) => (user.status === 'Banned' ? mailErrors.user_is_banned() : undefined)

/** Why a user gets no confirmation mail; undefined if they do. */
export function whyNoConfirmation(user: UserRow) {
  if (user.status !== 'Unconfirmed') return notWaiting()
  return user.password_hash === noPassword ? mailErrors.user_has_no_password() : undefined
}

export async function sendResetFor(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const user = await getManaged(tx, id)
    const settings = await readSettings(tx)
    if (!settings['password_reset.enabled']) throw errors.not_found()
    const refusal = whyNoReset(user)
    if (refusal !== undefined) throw refusal
    await assertMayMailMailbox(tx, user.email)
    await sendResetMail(tx, user)
  })
}

export async function sendConfirmationFor(ctx: Context, actor: Actor, id: number): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const user = await getManaged(tx, id)
    const refusal = whyNoConfirmation(user)
    if (refusal !== undefined) throw refusal
    await assertMayMailMailbox(tx, user.email)
    await sendConfirmationNow(tx, user)
  })
}

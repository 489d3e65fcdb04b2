import { type Context, type Origin, stranger, systemActor, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { canonicalEmail } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { sendMail } from '../../delivery/mail.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { checkPassword, hashPassword } from '../passwords/passwords.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { createToken, findToken, takeToken } from '../tokens/tokens.service.ts'
import { isWithinLimit } from '../tries/tries.service.ts'
import { applyChanges, getLockedUser, nameOf } from '../users/users.service.ts'
import type { UserRow } from '../users/users.table.ts'
import type { RemindPassword, ResetPassword } from './password-reset.schemas.ts'

const resetErrors = defineErrors({
  password_reset_token_invalid: [400, 'This password reset token is invalid.'],
})

const livesMinutes = 60
const onePerMinute = { tries: 1, windowMs: 60_000 }

async function assertEnabled(ctx: Context): Promise<void> {
  const settings = await readSettings(ctx)
  if (!settings['password_reset.enabled']) throw errors.not_found()
}

/**
 * Mails a reset link where the address has an account. A stranger cannot tell whether it has: the answer is the same, and
 * for an unknown address the same is written to the database, and taken back.
 */
export async function remindPassword(ctx: Context, origin: Origin, draft: Draft<RemindPassword>): Promise<void> {
  await assertEnabled(ctx)
  const canonical = canonicalEmail(draft.accept().email)
  if (!(await isWithinLimit(ctx, `remind ${canonical}`, onePerMinute))) return
  await ctx.transaction(async (db) => {
    const user = await db.selectFrom('users').selectAll().where('email_canonical', '=', canonical).executeTakeFirst()
    if (user !== undefined && user.status !== 'Banned') await sendResetMail(ctx, db, origin, user)
    else await pretend(ctx, db)
  })
}

async function sendResetMail(ctx: Context, db: Db, origin: Origin, user: UserRow): Promise<void> {
  const data = { email: user.email_canonical }
  const token = await createToken(ctx, db, {
    purpose: 'password_reset',
    userId: user.id,
    livesMs: livesMinutes * 60_000,
    data,
  })
  await recordActivity(ctx, db, stranger(origin), 'user.password_reset_requested', { type: 'user', id: user.id })
  await mailLink(ctx, db, user, token)
}

async function mailLink(
  ctx: Context,
  db: Db,
  user: Pick<UserRow, 'id' | 'email' | 'first_name' | 'username'>,
  token: string,
) {
  const link = `${ctx.config.publicUrl}/reset-password#token=${token}&email=${encodeURIComponent(user.email)}`
  const data = { name: nameOf(user), link, minutes: livesMinutes }
  await sendMail(ctx, db, { template: 'reset-password', to: user.email, userId: user.id, data })
}

/** The work of `sendResetMail` for nobody; nothing of it is left when the transaction is committed. */
async function pretend(ctx: Context, db: Db): Promise<void> {
  const someone = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'username'])
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (someone === undefined) return
  const nobody = { ...someone, email: 'nobody@invalid' }
  await mailLink(ctx, db, nobody, 'A'.repeat(43))
  await recordActivity(ctx, db, systemActor, 'pretended', { type: 'user', id: 0 })
  await db.deleteFrom('activity').where('event', '=', 'pretended').execute()
  await db.deleteFrom('deliveries').where('recipient_key', '=', nobody.email).execute()
}

/** Sets a new password with the token from the mail: once, within the hour, for the address that it was sent to. */
export async function resetPassword(ctx: Context, origin: Origin, draft: Draft<ResetPassword>): Promise<void> {
  await assertEnabled(ctx)
  const { token, email, password } = draft.given
  const user = token === undefined || email === undefined ? undefined : await findBound(ctx, token, email)
  const { 'password.min_length': minLength } = await readSettings(ctx)
  checkPassword(draft, { email, username: user?.username }, minLength)
  draft.accept()
  if (user === undefined || token === undefined || password === undefined)
    throw resetErrors.password_reset_token_invalid()
  const password_hash = await hashPassword(password)
  await ctx.transaction(async (db) => {
    const locked = await getLockedUser(db, user.id)
    // One conditional DELETE: of many requests with one token, one changes the password.
    const taken = await takeToken(ctx, db, 'password_reset', token)
    if (taken === undefined) throw resetErrors.password_reset_token_invalid()
    await applyChanges(ctx, db, userActor(user.id, origin), locked, { password_hash })
  })
}

async function findBound(ctx: Context, token: string, email: string): Promise<UserRow | undefined> {
  const row = await findToken(ctx, ctx.db, 'password_reset', token)
  if (row === undefined) return undefined
  const user = await ctx.db.selectFrom('users').selectAll().where('id', '=', row.user_id).executeTakeFirst()
  return user?.email_canonical === canonicalEmail(email) ? user : undefined
}

import { anonymous, type Context, type Origin, type Tx, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { canonicalEmail } from '../../core/email-address.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { inEvenTime } from '../../core/even-time.ts'
import { hashSecret } from '../../core/secrets.ts'
import { prepareWrite } from '../../db/prepare.ts'
import { linkLivesMs } from '../../mails/mails.ts'
import { type Addressee, nameOf } from '../../mails/name-of.ts'
import { pretendToMail } from '../../mails/pretend-mail.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { isWithinLimit, takeBackTry } from '../../security/attempts/attempts.service.ts'
import { strangerPlace } from '../../security/sign-in-guard/budgets.ts'
import { findUser, lockUserByEmail } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { findLiveKeys } from '../api-keys/user-keys.ts'
import { checkPassword, hashPassword } from '../passwords/passwords.service.ts'
import { mayMailUnproved, pretendToCountUnproved } from '../registration/unproved-mail.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { createToken, findToken, takeToken } from '../tokens/tokens.service.ts'
import { applyChanges } from '../users/users.changes.ts'
import { getLockedUser } from '../users/users.service.ts'
import type { RemindPassword, ResetLink, ResetPassword } from './password-reset.schemas.ts'

const resetErrors = defineErrors({
  password_reset_token_invalid: [400, 'This password reset token is invalid.'],
})

/** How many links can be valid at the same time. */
const maxLinks = 3
const onePerMinute = { tries: 1, windowMs: 60_000 }

async function assertEnabled(ctx: Context): Promise<void> {
  const settings = await readSettings(ctx)
  if (!settings['password_reset.enabled']) throw errors.not_found()
}

/**
 * Mails a reset link if the address has an account. A caller cannot find out whether it has: the answer and its timing are
 * the same, and for an unknown address the same writes are made and rolled back.
 */
export async function remindPassword(ctx: Context, origin: Origin, draft: Draft<RemindPassword>): Promise<void> {
  await assertEnabled(ctx)
  const canonical = canonicalEmail(draft.accept().email)
  await inEvenTime(async () => {
    const counter = `remind ${hashSecret(canonical)}`
    if (!(await isWithinLimit(ctx, counter, onePerMinute))) return
    await ctx.transaction(anonymous(origin), async (tx) => {
      const user = await lockUserByEmail(tx.db, canonical)
      const isReminded = await mayBeReminded(tx, user)
      if (user !== undefined && isReminded) return sendResetMail(tx, user)
      await pretend(tx)
      if (user?.status === 'Unconfirmed') await takeBackTry(tx.db, counter) // nothing was sent
    })
  })
}

/** Takes as many statements for an unknown address. */
async function mayBeReminded(tx: Tx, user: UserRow | undefined): Promise<boolean> {
  if (user?.status === 'Unconfirmed') return mayMailUnproved(tx, user.email)
  await pretendToCountUnproved(tx)
  return user?.status === 'Active'
}

/** What a token of a reset link carries. */
interface LinkData extends Record<string, unknown> {
  /** In canonical form. */
  readonly email: string
  /** True for the link that takes an account back. */
  readonly recovers?: true
}

/** Mails a reset link, in the transaction of what caused it, e.g. of a job; earlier ones stay valid, up to three. */
export const sendResetMail = (tx: Tx, user: UserRow, jobId?: number): Promise<void> => sendLink(tx, user, { jobId })

/** The same for an account that is taken back: as its password is void, this link works where resets are switched off, too. */
export const sendRecoveryMail = (tx: Tx, user: UserRow): Promise<void> => sendLink(tx, user, { recovers: true })

async function sendLink(
  tx: Tx,
  user: UserRow,
  { jobId, recovers }: { jobId?: number | undefined; recovers?: true },
): Promise<void> {
  const data: LinkData = { email: user.email_canonical, ...(recovers && { recovers }) }
  const token = await createToken(tx, {
    purpose: 'password_reset',
    userId: user.id,
    livesMs: linkLivesMs.passwordReset,
    data,
    beside: maxLinks - 1,
  })
  const details = jobId === undefined ? undefined : { job_id: jobId }
  await recordActivity(tx, tx.actor, 'user.password_reset_requested', { type: 'user', id: user.id }, details)
  await mailLink(tx, user, token)
}

interface Recipient extends Addressee {
  readonly id: number | null
  readonly email: string
}

async function mailLink(tx: Tx, user: Recipient, token: string): Promise<number> {
  const link = `${tx.config.publicUrl}/reset-password#token=${token}&email=${encodeURIComponent(user.email)}`
  const data = { name: nameOf(user), link, minutes: linkLivesMs.passwordReset / 60_000 }
  return sendMail(tx, { template: 'reset-password', to: user.email, userId: user.id, data })
}

const nobody: Omit<Recipient, 'email'> = {
  id: null,
  first_name: null,
  username: null,
  status: 'Active',
  unconfirmed_since: null,
}

/**
 * Does about the work of `sendResetMail` for an unknown address. It records no event: plugins, webhooks and the audit log would
 * see it.
 */
async function pretend(tx: Tx): Promise<void> {
  await pretendToMail(tx, (email, token) => mailLink(tx, { ...nobody, email }, token))
  // No row has the id 0. These statements cost about what the token and the audit row would.
  await tx.db.deleteFrom('tokens').where('user_id', '=', 0).execute()
  await deleteActivity(tx.db, 0)
}

/** Like the insert of an audit row, it is sent with the commit. */
const deleteActivity = prepareWrite((db, id: number) => db.deleteFrom('activity').where('id', '=', id))

/** How many API keys a reset would revoke, for a page that asks first. */
export async function previewReset(ctx: Context, draft: Draft<ResetLink>): Promise<{ api_keys: number }> {
  const user = await openLink(ctx, draft.given)
  draft.accept()
  if (user === undefined) throw resetErrors.password_reset_token_invalid()
  return { api_keys: (await findLiveKeys(ctx, user.id)).length }
}

/**
 * Sets a new password with the token from the mail. The token works once, within the hour, for the address that it was sent
 * to. API keys are revoked by default, because a thief may have created them.
 */
export async function resetPassword(ctx: Context, origin: Origin, draft: Draft<ResetPassword>): Promise<void> {
  const { token, email, password, revoke_keys } = draft.given
  const user = await openLink(ctx, draft.given)
  const { 'password.min_length': minLength } = await readSettings(ctx)
  const place = strangerPlace(origin.ip)
  await checkPassword({ ...ctx, place }, draft, { ...user, email }, minLength)
  draft.accept()
  if (user === undefined || token === undefined || password === undefined)
    throw resetErrors.password_reset_token_invalid()
  const password_hash = await hashPassword(password, place)
  await ctx.transaction(userActor(user.id, origin), async (tx) => {
    const locked = await getLockedUser(tx.db, user.id, resetErrors.password_reset_token_invalid)
    // One conditional DELETE: of several requests with one token, only one changes the password.
    const taken = await takeToken(tx, 'password_reset', token)
    if (taken === undefined) throw resetErrors.password_reset_token_invalid()
    await applyChanges(
      tx,
      tx.actor,
      locked,
      { password_hash },
      { revokeKeys: revoke_keys !== false, provesAddress: true },
    )
  })
}

/** The account of a link, undefined where the link is not valid for the address. `not_found` where resets are switched off. */
async function openLink(ctx: Context, { token, email }: Partial<ResetLink>): Promise<UserRow | undefined> {
  const row = token === undefined ? undefined : await findToken(ctx, 'password_reset', token)
  const data = JSON.parse(row?.data ?? '{}') as Partial<LinkData>
  if (data.recovers !== true) await assertEnabled(ctx)
  if (row === undefined || email === undefined) return undefined
  const user = await findUser(ctx.db, row.user_id)
  return user?.email_canonical === canonicalEmail(email) ? user : undefined
}

import { anonymous, type Context, type Origin, type Reads, type Tx, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { canonicalEmail, isSameAddress } from '../../core/email-address.ts'
import { defineErrors, failedAt } from '../../core/errors.ts'
import { inEvenTime } from '../../core/even-time.ts'
import { hashSecret } from '../../core/secrets.ts'
import { linkLivesMs } from '../../mails/mails.ts'
import { pretendToMail } from '../../mails/pretend-mail.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { isWithinLimit, takeBackTry } from '../../security/attempts/attempts.service.ts'
import { userErrors } from '../accounts/users.errors.ts'
import { lockUserByEmail } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { createSession } from '../credentials/live-sessions.service.ts'
import { hasPassword } from '../passwords/no-password.ts'
import { verifyPassword } from '../passwords/passwords.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import {
  countTokenTry,
  createToken,
  findToken,
  giveBackTokenTry,
  maxTries,
  takeToken,
  voidTokens,
} from '../tokens/tokens.service.ts'
import type { TokenPurpose, TokenRow } from '../tokens/tokens.table.ts'
import { applyChanges } from '../users/users.changes.ts'
import { getLockedUser, getUser, isEmailTaken } from '../users/users.service.ts'
import type { ConfirmEmail, EmailAddress, EmailToken } from './registration.schemas.ts'
import { mayMailUnproved, pretendToCountUnproved } from './unproved-mail.service.ts'

const confirmationErrors = defineErrors({
  email_token_invalid: [400, 'This confirmation link is invalid or has expired.'],
  account_password_wrong: [422, 'This is not the password of the account.'],
})

const onePerMinute = { tries: 1, windowMs: 60_000 }
const purposes: readonly TokenPurpose[] = ['email_verification', 'email_change']

/**
 * Mails a link that proves that an address belongs to the user: of a new account, or a changed address that takes effect
 * with the proof. False if a limit prevents the mail: then earlier links stay valid.
 */
export async function sendConfirmation(tx: Tx, user: UserRow, newEmail?: string): Promise<boolean> {
  const purpose = newEmail === undefined ? 'email_verification' : 'email_change'
  const to = newEmail ?? user.email
  const mayMail = await mayMailUnproved(tx, to)
  if (mayMail) await mailConfirmation(tx, user, purpose, to)
  return mayMail
}

/** The same without a limit, for an administrator whose mails are limited elsewhere. */
export const sendConfirmationNow = (tx: Tx, user: UserRow): Promise<void> =>
  mailConfirmation(tx, user, 'email_verification', user.email)

async function mailConfirmation(tx: Tx, user: UserRow, purpose: TokenPurpose, to: string): Promise<void> {
  const token = await createToken(tx, {
    purpose,
    userId: user.id,
    livesMs: linkLivesMs.confirmation,
    data: { email: to },
  })
  await mailLink(tx, to, user.id, token)
}

function mailLink(tx: Tx, to: string, userId: number | null, token: string): Promise<number> {
  const link = `${tx.config.publicUrl}/verify-email#token=${token}`
  return sendMail(tx, { template: 'confirm-email', to, userId, data: { link } })
}

async function findConfirmation(from: Reads, token: string): Promise<TokenRow> {
  for (const purpose of purposes) {
    const row = await findToken(from, purpose, token)
    if (row !== undefined && row.tries < maxTries) return row
  }
  throw confirmationErrors.email_token_invalid()
}

const emailOf = (row: TokenRow): string => (JSON.parse(row.data ?? '{}') as { email: string }).email

/** The address that a link would confirm, for a page that asks before it confirms: scanners open links, too. */
export async function previewConfirmation(
  ctx: Context,
  draft: Draft<EmailToken>,
): Promise<{ email: string; without_password?: boolean }> {
  const row = await findConfirmation(ctx, draft.accept().token)
  const email = emailOf(row)
  return hasPassword(await getUser(ctx.db, row.user_id, confirmationErrors.email_token_invalid))
    ? { email }
    : { email, without_password: true }
}

/**
 * Confirms an address with the token from the mail and the password of the account. The token alone is not enough: anybody
 * can register another person's address, and its owner would then confirm it for a password that the attacker knows. An
 * account without a password gets its first session; the returned token is stored nowhere else.
 */
export async function confirmEmail(
  ctx: Context,
  origin: Origin,
  draft: Draft<ConfirmEmail>,
): Promise<string | undefined> {
  const { token } = draft.given
  const found = token === undefined ? undefined : await findConfirmation(ctx, token)
  const known = found && (await getUser(ctx.db, found.user_id, confirmationErrors.email_token_invalid))
  // An account without a password waits for its address alone: nobody else has a way into it.
  const { 'password.required': isRequired } = await readSettings(ctx)
  const isWaived = !isRequired && found?.purpose === 'email_verification' && known !== undefined && !hasPassword(known)
  if (isWaived) draft.waive('password')
  const { password } = draft.accept()
  if (token === undefined || found === undefined || known === undefined) throw confirmationErrors.email_token_invalid()
  const { user_id, purpose } = found
  const { password_hash } = known
  if (!isWaived) await assertPassword(ctx, token, password_hash, password)
  return ctx.transaction(userActor(user_id, origin), async (tx) => {
    const user = await getLockedUser(tx.db, user_id, confirmationErrors.email_token_invalid)
    // The password may have changed since this one was verified.
    if (user.password_hash !== password_hash) throw wrongPassword()
    const row = await takeToken(tx, purpose, token)
    if (row === undefined) throw confirmationErrors.email_token_invalid()
    const email = emailOf(row)
    if (purpose === 'email_change') {
      if (await isEmailTaken(tx.db, email, user.id)) {
        throw failedAt('token', userErrors.user_email_taken())
      }
      await applyChanges(tx, tx.actor, user, { email }, { provesAddress: true })
    } else if (user.status === 'Unconfirmed' && isSameAddress(user.email, email)) {
      await applyChanges(tx, tx.actor, user, { status: 'Active' })
    } else {
      throw confirmationErrors.email_token_invalid()
    }
    return isWaived ? createSession(tx, user.id, origin, null, { method: 'email_link' }) : undefined
  })
}

const wrongPassword = () => failedAt('password', confirmationErrors.account_password_wrong())

/** Throws unless the password matches. Attempts are counted before the comparison, so parallel ones count too. */
async function assertPassword(ctx: Context, token: string, passwordHash: string, password: string): Promise<void> {
  if (!(await countTokenTry(ctx, token))) throw confirmationErrors.email_token_invalid()
  const isRight = await verifyPassword(passwordHash, password).catch(async (overload: unknown) => {
    await giveBackTokenTry(ctx, hashSecret(token)) // the password was not compared
    throw overload
  })
  if (!isRight) throw wrongPassword()
}

/** Resends the confirmation if an account waits for it. Neither the answer nor its timing reveals whether one does. */
export async function resendConfirmation(ctx: Context, origin: Origin, draft: Draft<EmailAddress>): Promise<void> {
  const canonical = canonicalEmail(draft.accept().email)
  await inEvenTime(async () => {
    const counter = `resend ${hashSecret(canonical)}`
    if (!(await isWithinLimit(ctx, counter, onePerMinute))) return
    await ctx.transaction(anonymous(origin), async (tx) => {
      const user = await lockUserByEmail(tx.db, canonical)
      const isWaiting = user?.status === 'Unconfirmed'
      if (!isWaiting) await pretendToCountUnproved(tx)
      else if (await sendConfirmation(tx, user)) return
      await pretend(tx)
      if (isWaiting) await takeBackTry(tx.db, counter)
    })
  })
}

/** Does about the work of `mailConfirmation`. */
async function pretend(tx: Tx): Promise<void> {
  await voidTokens(tx.db, 0, ['email_verification']) // nobody has this id
  await pretendToMail(tx, (to, token) => mailLink(tx, to, null, token))
}

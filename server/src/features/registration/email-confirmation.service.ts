import { type Context, type Origin, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, failedAt } from '../../core/errors.ts'
import { canonicalEmail } from '../../core/text.ts'
import type { Db } from '../../db/database.ts'
import { sendMail } from '../../delivery/mail.ts'
import { createToken, findToken, takeToken } from '../tokens/tokens.service.ts'
import type { TokenPurpose, TokenRow } from '../tokens/tokens.table.ts'
import { isWithinLimit } from '../tries/tries.service.ts'
import { userErrors } from '../users/users.errors.ts'
import { applyChanges, getLockedUser, isEmailTaken, nameOf } from '../users/users.service.ts'
import type { UserRow } from '../users/users.table.ts'
import type { EmailAddress, EmailToken } from './registration.schemas.ts'

const confirmationErrors = defineErrors({
  email_token_invalid: [400, 'This confirmation link is invalid or has expired.'],
})

const livesMs = 24 * 3_600_000
const onePerMinute = { tries: 1, windowMs: 60_000 }
const purposes: readonly TokenPurpose[] = ['email_verification', 'email_change']

/** Mails a link that shows that an address is the user's: of a new account, or a changed address, which counts from then on. */
export async function sendConfirmation(ctx: Context, db: Db, user: UserRow, newEmail?: string): Promise<void> {
  const purpose = newEmail === undefined ? 'email_verification' : 'email_change'
  const to = newEmail ?? user.email
  const token = await createToken(ctx, db, { purpose, userId: user.id, livesMs, data: { email: to } })
  const link = `${ctx.config.publicUrl}/verify-email#token=${token}`
  await sendMail(ctx, db, { template: 'confirm-email', to, userId: user.id, data: { name: nameOf(user), link } })
}

async function findConfirmation(ctx: Context, db: Db, token: string): Promise<TokenRow> {
  for (const purpose of purposes) {
    const row = await findToken(ctx, db, purpose, token)
    if (row !== undefined) return row
  }
  throw confirmationErrors.email_token_invalid()
}

const emailOf = (row: TokenRow): string => (JSON.parse(row.data ?? '{}') as { email: string }).email

/** Whose address a link would confirm, for a page that asks before it does: scanners open links, too. */
export async function previewConfirmation(ctx: Context, draft: Draft<EmailToken>): Promise<{ email: string }> {
  return { email: emailOf(await findConfirmation(ctx, ctx.db, draft.accept().token)) }
}

/** Confirms an address with the token from the mail. */
export async function confirmEmail(ctx: Context, origin: Origin, draft: Draft<EmailToken>): Promise<void> {
  const { token } = draft.accept()
  const { user_id, purpose } = await findConfirmation(ctx, ctx.db, token)
  await ctx.transaction(async (db) => {
    const user = await getLockedUser(db, user_id)
    const row = await takeToken(ctx, db, purpose, token)
    if (row === undefined) throw confirmationErrors.email_token_invalid()
    const email = emailOf(row)
    const owner = userActor(user.id, origin)
    if (purpose === 'email_change') {
      if (await isEmailTaken(db, email, user.id)) {
        throw failedAt('token', userErrors.user_email_taken())
      }
      await applyChanges(ctx, db, owner, user, { email })
    } else if (user.status === 'Unconfirmed' && user.email_canonical === canonicalEmail(email)) {
      await applyChanges(ctx, db, owner, user, { status: 'Active' })
    } else {
      throw confirmationErrors.email_token_invalid()
    }
  })
}

/** Sends the confirmation again where an account waits for it; nobody can tell whether one does. */
export async function resendConfirmation(ctx: Context, draft: Draft<EmailAddress>): Promise<void> {
  const canonical = canonicalEmail(draft.accept().email)
  if (!(await isWithinLimit(ctx, `resend ${canonical}`, onePerMinute))) return
  await ctx.transaction(async (db) => {
    const user = await db.selectFrom('users').selectAll().where('email_canonical', '=', canonical).executeTakeFirst()
    if (user?.status === 'Unconfirmed') await sendConfirmation(ctx, db, user)
  })
}

import { type Context, type Origin, type Reads, type Tx, userActor } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { canonicalEmail, isSameAddress } from '../../core/email-address.ts'
import { defineErrors } from '../../core/errors.ts'
import { daysAgo, toTimestamp } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { isUnproved } from '../../mails/name-of.ts'
import { changeUser, lockUserByEmail } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { endUserSessions, findLiveSessions } from '../credentials/live-sessions.service.ts'
import { sendRecoveryMail } from '../password-reset/password-reset.service.ts'
import { noPassword } from '../passwords/no-password.ts'
import { removeUnproved } from '../registration/unconfirmed-accounts.ts'
import type { SecureAccountData } from '../security-mails/security-mail.ts'
import { findToken, takeToken, voidTokens } from '../tokens/tokens.service.ts'
import type { TokenRow } from '../tokens/tokens.table.ts'
import { dropPendingFactors, findVerifiedFactors } from '../two-factor/factors.service.ts'
import { withUsernameOfAddress } from '../users/usernames.ts'
import { getLockedUser, getUser } from '../users/users.service.ts'
import type { SecureAccount, SecureAccountPreview } from './secure-account.schemas.ts'

const secureErrors = defineErrors({
  secure_account_token_invalid: [400, 'This link is invalid or has expired.'],
})

/** What a link would do to the address of its account. */
interface Restoration {
  /** The address that the account gets back; undefined if it has that address, or may not have it back. */
  readonly email: string | undefined
  /** The account that goes for it, locked where the caller asked for that. */
  readonly squatter: UserRow | undefined
  /** Older links that know an older address. */
  readonly contesting: readonly string[]
}

/** `lockHolder` reads the account with this address again and locks it, before it is judged for removal. */
async function findRestoration(
  db: ReadDb,
  link: TokenRow,
  user: UserRow,
  lockHolder?: (canonicalEmail: string) => Promise<UserRow | undefined>,
): Promise<Restoration> {
  const { email } = JSON.parse(link.data ?? '{}') as SecureAccountData
  const older = await db
    .selectFrom('tokens')
    .select(['token_hash', 'data'])
    .where('user_id', '=', user.id)
    .where('purpose', '=', 'secure_account')
    .where('created_ms', '<', link.created_ms)
    .execute()
  const contesting = older
    .filter(({ data }) => !isSameAddress((JSON.parse(data ?? '{}') as SecureAccountData).email, email))
    .map(({ token_hash }) => token_hash)
  const found = await findHolder(db, email)
  const mayGo = found !== undefined && isSquatter(found, link)
  // They may prove the address, or change theirs, at this moment: the locked row counts.
  const holder = mayGo && lockHolder !== undefined ? await lockHolder(canonicalEmail(email)) : found
  const squatter = holder !== undefined && isSquatter(holder, link) ? holder : undefined
  const isFree = holder === undefined || squatter !== undefined
  // An older link knows an older address: whoever had this one in between got it from the owner's account.
  const isRestored = !isSameAddress(email, user.email) && contesting.length === 0 && isFree
  return isRestored ? { email, squatter, contesting } : { email: undefined, squatter: undefined, contesting }
}

const findHolder = (db: ReadDb, email: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('email_canonical', '=', canonicalEmail(email)).executeTakeFirst()

/**
 * True for an account that was registered with the address after the link was mailed there, and never proved that it is theirs.
 * A thief could otherwise keep the owner's address by registering it.
 */
const isSquatter = (holder: UserRow, link: TokenRow): boolean =>
  isUnproved(holder) && holder.created_at >= toTimestamp(new Date(link.created_ms))

/** The keys whose secret is new. The activity is kept for longer than a week, whatever the settings say. */
const recentKeys = (db: ReadDb, userId: number, since: string) =>
  db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where((is) => {
      const rotations = is
        .selectFrom('activity')
        .select('id')
        .where('subject_type', '=', 'api_key')
        .whereRef('subject_id', '=', 'api_keys.id')
        .where('event', '=', 'api_key.rotated')
        .where('activity.created_at', '>=', since)
      return is.or([is('created_at', '>=', since), is.exists(rotations)])
    })
    .execute()

const weekBefore = ({ clock }: Pick<Reads, 'clock'>): string => daysAgo(clock, 7)

/** What a link would do, for the page that asks first: scanners open links, too. */
export async function previewSecureAccount(ctx: Context, draft: Draft<SecureAccount>): Promise<SecureAccountPreview> {
  const link = await findToken(ctx, 'secure_account', draft.accept().token)
  if (link === undefined) throw secureErrors.secure_account_token_invalid()
  const user = await getUser(ctx.db, link.user_id)
  const { email: restored } = await findRestoration(ctx.db, link, user)
  return {
    email: restored ?? user.email,
    restores_email: restored !== undefined,
    sessions: (await findLiveSessions(ctx, user.id)).length,
    api_keys: (await recentKeys(ctx.db, user.id, weekBefore(ctx))).length,
    factors: (await findVerifiedFactors(ctx.db, user.id)).length,
    expires_at: toTimestamp(new Date(link.expires_ms)),
  }
}

/**
 * Takes an account back for its owner: ends all sessions, revokes the keys that were made or rotated in the last seven days,
 * voids what is pending and the password, takes a change of address back, and sends a password reset. Second factors stay: without
 * them the mailbox alone would be enough. The page says so, for one may be the thief's.
 */
export async function secureAccount(ctx: Context, origin: Origin, draft: Draft<SecureAccount>): Promise<void> {
  const { token } = draft.accept()
  const found = await findToken(ctx, 'secure_account', token)
  if (found === undefined) throw secureErrors.secure_account_token_invalid()
  await ctx.transaction(userActor(found.user_id, origin), async (tx) => {
    const user = await getLockedUser(tx.db, found.user_id, secureErrors.secure_account_token_invalid)
    const {
      email: restored,
      squatter,
      contesting,
    } = await findRestoration(tx.db, found, user, (address) => lockUserByEmail(tx.db, address))
    if ((await takeToken(tx, 'secure_account', token)) === undefined) throw secureErrors.secure_account_token_invalid()
    const subject = { type: 'user', id: user.id } as const
    await endUserSessions(tx.db, user.id)
    await recordActivity(tx, tx.actor, 'user.sessions_ended', subject)
    await revokeRecentKeys(tx, user.id)
    await voidLinks(tx.db, user.id, contesting)
    if (squatter !== undefined) await removeUnproved(tx, squatter)
    const address = restored === undefined ? {} : await withUsernameOfAddress(tx.db, user, { email: restored })
    const updated_at = toTimestamp(tx.clock())
    const secured = await changeUser(tx.db, user, { ...address, password_hash: noPassword, updated_at })
    if (restored !== undefined) await recordActivity(tx, tx.actor, 'user.updated', subject, { fields: ['email'] })
    await recordActivity(tx, tx.actor, 'user.password_changed', subject)
    await sendRecoveryMail(tx, await dropPendingFactors(tx, secured))
  })
}

async function revokeRecentKeys(tx: Tx, userId: number): Promise<void> {
  for (const { id } of await recentKeys(tx.db, userId, weekBefore(tx))) {
    await tx.db.deleteFrom('api_keys').where('id', '=', id).execute()
    await recordActivity(tx, tx.actor, 'api_key.revoked', { type: 'api_key', id }, { user_id: userId })
  }
}

/**
 * What was mailed; other links of this kind may be in the wrong hands, too. Those that know an older address stay: with a link
 * to an address in between, a thief would void the owner's.
 */
async function voidLinks(db: Db, userId: number, contesting: readonly string[]): Promise<void> {
  await voidTokens(db, userId, ['password_reset', 'email_change', 'invitation'])
  const links = db.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', '=', 'secure_account')
  await (contesting.length === 0 ? links : links.where('token_hash', 'not in', contesting)).execute()
}

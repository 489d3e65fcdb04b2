import type { Actor, Reads, Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { chosenBy } from '../../mails/name-of.ts'
import { holdCredentials } from '../accounts/hold-credentials.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { userErrors } from '../accounts/users.errors.ts'
import { changeUser, type UserChanges } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { revokeKeysOf, revokeUserKeys } from '../api-keys/api-keys.service.ts'
import { endSessionsOf, endUserSessions } from '../credentials/live-sessions.service.ts'
import { noPassword } from '../passwords/no-password.ts'
import { assertMayGrant } from '../roles/roles.service.ts'
import { rebindSecureLinks, sendSecurityMail } from '../security-mails/security-mail.ts'
import { voidTokens, voidTokensOf } from '../tokens/tokens.service.ts'
import type { TokenPurpose } from '../tokens/tokens.table.ts'
import { assertProofForRole, findMightierRole } from './mightier-role.ts'
import { tellOfPassword } from './password-mail.ts'
import { withUsernameOfAddress } from './usernames.ts'
import type { UpdateUser } from './users.schemas.ts'

/** A ban takes away what was sent to the user. */
const voidedByBan: readonly TokenPurpose[] = ['password_reset', 'email_verification', 'email_change', 'invitation']

/** Ends what a ban ends: API keys, sessions and links. */
export async function shutOut(tx: Tx, userIds: readonly number[]): Promise<void> {
  await revokeKeysOf(tx.db, userIds)
  await endSessionsOf(tx.db, userIds)
  await voidTokensOf(tx.db, userIds, voidedByBan)
}

/**
 * True for a change after which the user's credentials still exist, but allow less. A change that deletes them waits for
 * requests that use them anyway.
 */
const limitsCredentials = (user: UserRow, { role_id, status, two_factor_options }: UserChanges): boolean => {
  const losesFactor = two_factor_options !== undefined && isTwoFactorOn(user) && !isTwoFactorOn({ two_factor_options })
  return role_id !== undefined || status === 'Unconfirmed' || losesFactor
}

interface ChangeOptions {
  readonly revokeKeys?: boolean
  readonly provesAddress?: boolean
  readonly reason?: string | null | undefined
}

/**
 * Writes checked changes of a locked user with all their consequences. A ban ends sessions and keys. A new password ends the
 * other sessions and pending enrolments, and with `revokeKeys` the API keys. A new password or address voids what was sent to
 * the old one, and the user is notified. With `provesAddress` the user came by a link that was mailed to them.
 */
export async function applyChanges(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  wanted: UserChanges,
  { revokeKeys = false, provesAddress = false, reason }: ChangeOptions = {},
): Promise<UserRow> {
  const { id } = user
  if (limitsCredentials(user, wanted)) await holdCredentials(tx.db, [id])
  const changes = await withUsernameOfAddress(tx.db, user, wanted)
  // An Unconfirmed account goes on waiting: nothing but the confirmation ends that.
  const proof = provesAddress && user.status === 'Active' ? { unconfirmed_since: null } : {}
  const changed = await changeUser(tx.db, user, { ...changes, ...proof, updated_at: toTimestamp(tx.clock()) })
  if (changes.status === 'Banned') await shutOut(tx, [id])
  if (changes.password_hash !== undefined) {
    await endUserSessions(tx.db, id, actor.userId === id ? actor.sessionId : null)
    // Also a pending change of address: a thief may have requested it before the owner got the account back.
    await voidTokens(tx.db, id, ['password_reset', 'email_change', 'invitation'])
    const revoked = revokeKeys ? await revokeUserKeys(tx.db, id) : 0
    // A first password is no change that its owner should be told of.
    if (user.password_hash !== noPassword) await tellOfPassword(tx, user, revoked)
  }
  if (changes.email !== undefined) {
    await voidTokens(tx.db, id, ['password_reset', 'email_verification', 'email_change', 'invitation'])
    const byAdministrator = actor.userId !== id
    // Nobody takes back by mail what an administrator has decided.
    if (byAdministrator) await rebindSecureLinks(tx, id, changes.email)
    const restores = byAdministrator ? changes.email : user.email
    const newEmail = chosenBy(user, changes.email, '')
    await sendSecurityMail(tx, user, 'email-changed', { newEmail, byAdministrator }, restores)
  }
  if (changes.role_id !== undefined) {
    const mightier = await findMightierRole(tx.db, changes.role_id, user.role_id)
    if (mightier !== undefined) await sendSecurityMail(tx, changed, 'mightier-role', mightier)
  }
  await recordChanges(tx, actor, user, changes, reason)
  return changed
}

/** The sent fields that differ from the stored ones. */
export const changedFields = (
  fields: Omit<UpdateUser, 'password' | 'password_confirmation' | 'current_password' | 'revoke_keys' | 'reason'>,
  user: UserRow,
): UserChanges =>
  Object.fromEntries(Object.entries(fields).filter(([field, value]) => user[field as keyof UserRow] !== value))

/** Throws unless the actor may assign the role, or the status. */
export async function assertMayChange(
  { db, clock }: Reads,
  actor: Actor,
  user: UserRow,
  changes: UserChanges,
): Promise<void> {
  if (changes.role_id !== undefined) {
    await assertMayGrant(db, actor, changes.role_id)
    await assertProofForRole({ db, clock }, actor, changes.role_id, user.role_id)
  }
  if (changes.status === 'Banned' && user.id === actor.userId) throw userErrors.user_is_yourself()
}

export const statusEvents = {
  Banned: 'user.banned',
  Active: 'user.activated',
  Unconfirmed: 'user.unconfirmed',
} as const

/** One audit row for each kind of change. Security-relevant changes have their own. */
async function recordChanges(
  tx: Tx,
  actor: Actor,
  user: UserRow,
  changes: UserChanges,
  reason: string | null | undefined,
): Promise<void> {
  const subject = { type: 'user', id: user.id } as const
  const { status, role_id, password_hash, ...others } = changes
  // Changes of the avatar and of two-factor authentication are recorded by their own features.
  const fields = Object.keys(others).filter((field) => field !== 'avatar' && !field.startsWith('two_factor_'))
  if (fields.length > 0) await recordActivity(tx, actor, 'user.updated', subject, { fields })
  if (password_hash !== undefined) await recordActivity(tx, actor, 'user.password_changed', subject)
  if (role_id !== undefined) {
    await recordActivity(tx, actor, 'user.role_changed', subject, { before: user.role_id, after: role_id })
  }
  if (status === undefined) return
  const confirmsOwn = status === 'Active' && user.status === 'Unconfirmed' && actor.userId === user.id
  const event = confirmsOwn ? 'user.confirmed' : statusEvents[status]
  const why = status === 'Banned' && reason != null ? { reason } : {}
  await recordActivity(tx, actor, event, subject, { before: user.status, ...why })
}

import type { Actor, Context, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import type { ReadDb } from '../../db/database.ts'
import { chosenBy } from '../../mails/name-of.ts'
import { proveOwnAccount } from '../../security/sign-in-guard/current-password.ts'
import { isTwoFactorOn, type TwoFactorSummary } from '../accounts/two-factor-state.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { hasPassword } from '../passwords/no-password.ts'
import { findRole } from '../roles/roles.service.ts'
import { sendSecurityMail } from '../security-mails/security-mail.ts'
import { readSettings } from '../settings/settings.service.ts'
import { voidTokens } from '../tokens/tokens.service.ts'
import { applyChanges } from '../users/users.changes.ts'
import { assertMayManage, getLockedUser, getOwnUser, getUser } from '../users/users.service.ts'
import { findFactor, findFactors } from './factors.queries.ts'
import type { Factor, ProveAccount } from './factors.schemas.ts'
import type { FactorRow, FactorType } from './factors.table.ts'
import {
  countRecoveryCodes,
  makeRecoveryCodes,
  type NewRecoveryCodes,
  storeRecoveryCodes,
  voidRecoveryCodes,
} from './methods/recovery-codes.ts'
import { phoneNameOf } from './methods/sms.ts'
import { twoFactorErrors } from './two-factor.errors.ts'

export { findPasskey, findVerifiedFactors } from './factors.queries.ts'

/** The order of preference at sign-in. */
const preferred: readonly FactorType[] = ['totp', 'sms', 'passkey']

/** The sum of the factors in the user's row. */
function summaryOf(factors: readonly FactorRow[]): TwoFactorSummary | null {
  const verified = factors.filter((factor) => factor.verified === 1)
  const channel = preferred.find((type) => verified.some((factor) => factor.type === type))
  if (channel !== undefined) return { enabled: true, channel }
  return factors.some(({ type }) => type === 'sms') ? { enabled: false, channel: 'sms' } : null
}

export interface Phone {
  readonly country_code: number
  readonly phone: string
}

/** Sums the factors up in the user's row. `phone` is the new number; null for none, undefined for the same. */
export async function sumUp(tx: Tx, user: UserRow, phone?: Phone | null): Promise<UserRow> {
  const summary = summaryOf(await findFactors(tx.db, user.id))
  const number =
    phone === undefined
      ? {}
      : { two_factor_country_code: phone?.country_code ?? null, two_factor_phone: phone?.phone ?? null }
  const two_factor_options = summary === null ? null : JSON.stringify(summary)
  return applyChanges(tx, tx.actor, user, { ...number, two_factor_options })
}

const defaultNames: Readonly<Record<FactorType, string>> = {
  sms: 'Phone',
  totp: 'Authenticator app',
  passkey: 'Passkey',
}

const shownName = (factor: FactorRow): string =>
  factor.name || (factor.type === 'sms' ? phoneNameOf(factor) : undefined) || defaultNames[factor.type]

/** For mails: what the factor is, and what its owner calls it, unless the address may be that of somebody else. */
function describeFactor(factor: FactorRow, owner: UserRow): string {
  if (factor.type === 'sms') return shownName(factor)
  const kind = defaultNames[factor.type]
  const name = chosenBy(owner, shownName(factor), kind)
  return name === kind ? kind : `${kind} “${name}”`
}

export const toFactor = (factor: FactorRow): Factor => ({
  id: factor.id,
  type: factor.type,
  name: shownName(factor),
  verified: factor.verified === 1,
  created_at: factor.created_at,
  last_used_at: factor.last_used_at,
})

export interface FactorList {
  readonly data: Factor[]
  readonly meta: { readonly recovery_codes_left: number }
}

/** A user's factors, and how many recovery codes are left. */
export async function listFactors(ctx: Context, userId: number): Promise<FactorList> {
  await getUser(ctx.db, userId)
  const factors = await findFactors(ctx.db, userId)
  return { data: factors.map(toFactor), meta: { recovery_codes_left: await countRecoveryCodes(ctx.db, userId) } }
}

/**
 * If the feature is switched off, nobody can add a factor, except users who must have one. Users who have one are still asked for it
 * and can remove it.
 */
export async function assertFeatureOn(ctx: Context, user: Pick<UserRow, 'role_id'>): Promise<void> {
  const settings = await readSettings(ctx)
  if (settings['two_factor.enabled']) return
  if ((await findRole(ctx.db, user.role_id))?.two_factor !== 'required') throw errors.not_found()
}

/** New recovery codes; or that the user has some already. */
export type CodesForFirst = NewRecoveryCodes | 'has some'

/** The user had codes, and has lost them with their other factors by now. */
class CodesGoneError extends Error {
  override readonly name = 'CodesGoneError'
}

/**
 * Turns a factor on in a transaction, with new recovery codes for a user who has none. Hashing them takes a while, so they are made
 * before it; where another request removes the last factor meanwhile, it is done again with new ones.
 */
export async function withCodesForFirst<T>(
  ctx: Context,
  userId: number,
  turnOn: (codes: CodesForFirst) => Promise<T>,
): Promise<T> {
  if ((await countRecoveryCodes(ctx.db, userId)) === 0) return turnOn(await makeRecoveryCodes(userId))
  try {
    return await turnOn('has some')
  } catch (error) {
    if (!(error instanceof CodesGoneError)) throw error
    return turnOn(await makeRecoveryCodes(userId))
  }
}

/** What follows when a factor is turned on. Returns the recovery codes to show, if it brought any; without `codes` it never does. */
export async function afterTurnedOn(
  tx: Tx,
  user: UserRow,
  factor: FactorRow,
  codes?: CodesForFirst,
): Promise<readonly string[] | undefined> {
  await sendSecurityMail(tx, user, 'two-factor-on', { factor: describeFactor(factor, user) })
  if (codes === undefined || (await countRecoveryCodes(tx.db, user.id)) > 0) return undefined
  if (codes === 'has some') throw new CodesGoneError()
  await storeRecoveryCodes(tx, user.id, codes)
  return codes.shown
}

/** A factor and the recovery codes that it brought. */
export interface FactorOn {
  readonly data: Factor
  readonly recovery_codes?: string[]
}

export const factorOn = (data: Factor, codes: readonly string[] | undefined): FactorOn =>
  codes === undefined ? { data } : { data, recovery_codes: [...codes] }

/** What follows when a verified factor is removed: with the last one, the recovery codes are void. */
async function afterRemoved(tx: Tx, user: UserRow, factor: FactorRow): Promise<void> {
  await voidTokens(tx.db, user.id, ['login_challenge', 'reauthentication'])
  const isLast = !(await findFactors(tx.db, user.id)).some(({ verified }) => verified === 1)
  if (isLast) await voidRecoveryCodes(tx.db, user.id)
  const byAdministrator = tx.actor.userId !== user.id
  await sendSecurityMail(tx, user, 'two-factor-off', { factor: describeFactor(factor, user), isLast, byAdministrator })
}

/** Who may do it, checked in the transaction. */
export type AssertAllowed = (db: ReadDb, actor: Actor, user: UserRow) => Promise<void>

/** The caller's own account needs no permission. */
export const ownAccount: AssertAllowed = async () => {}

/** Removes a factor, for actors who manage users. */
export async function removeFactor(ctx: Context, actor: Actor, id: number, factorId: number): Promise<void> {
  assertFreshProof(ctx.clock, actor)
  await remove(ctx, actor, id, factorId, assertMayManage)
}

/** The same for the caller, with the current password. */
export async function removeOwnFactor(
  ctx: Context,
  actor: Actor,
  factorId: number,
  draft: Draft<ProveAccount>,
): Promise<void> {
  const user = await getOwnUser(ctx.db, actor)
  if ((await findFactor(ctx.db, user.id, factorId)) === undefined) throw errors.not_found()
  if (isTwoFactorOn(user)) assertFreshProof(ctx.clock, actor)
  await proveOwnAccount(ctx, actor, user, draft)
  await remove(ctx, actor, user.id, factorId, ownAccount)
}

async function remove(
  ctx: Context,
  actor: Actor,
  id: number,
  factorId: number,
  assertAllowed: AssertAllowed,
): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    const factor = await findFactor(tx.db, id, factorId)
    if (factor === undefined) throw errors.not_found()
    await dropFactor(tx, user, factor)
  })
}

/** Removes a factor of a locked user with all that follows. */
export async function dropFactor(tx: Tx, user: UserRow, factor: FactorRow): Promise<UserRow> {
  if (tx.actor.userId === user.id) await assertOtherWayIn(tx, user, factor)
  await tx.db.deleteFrom('factors').where('id', '=', factor.id).execute()
  if (factor.type === 'sms') await voidTokens(tx.db, user.id, ['two_factor_enrolment'])
  if (factor.verified === 1) await afterRemoved(tx, user, factor)
  const subject = { type: 'user', id: user.id } as const
  if (factor.type === 'sms') {
    const details = factor.verified === 1 ? undefined : { pending: true }
    await recordActivity(tx, tx.actor, 'user.two_factor_disabled', subject, details)
  } else if (factor.verified === 1) {
    await recordActivity(tx, tx.actor, 'user.factor_removed', subject, { type: factor.type })
  }
  return sumUp(tx, user, factor.type === 'sms' ? null : undefined)
}

/** Removes what a locked user has not verified. */
export async function dropPendingFactors(tx: Tx, user: UserRow): Promise<UserRow> {
  let left = user
  for (const factor of await findFactors(tx.db, user.id)) {
    if (factor.verified === 0) left = await dropFactor(tx, left, factor)
  }
  return left
}

/** A user without a password cannot lock themselves out. */
async function assertOtherWayIn(tx: Tx, user: UserRow, factor: FactorRow): Promise<void> {
  if (hasPassword(user) || factor.type !== 'passkey') return
  const others = (await findFactors(tx.db, user.id)).filter(({ type, id }) => type === 'passkey' && id !== factor.id)
  if (others.length === 0) throw twoFactorErrors.factor_only_way_in()
}

/** Removes all factors of a user, at the command line. Returns how many there were. */
export function removeAllFactors(ctx: Context, actor: Actor, id: number): Promise<number> {
  return ctx.transaction(actor, async (tx) => {
    let user = await getLockedUser(tx.db, id)
    await assertMayManage(tx.db, tx.actor, user)
    const factors = await findFactors(tx.db, id)
    for (const factor of factors) user = await dropFactor(tx, user, factor)
    return factors.length
  })
}

/** Ten new recovery codes for the caller; the old ones are void. */
export async function renewOwnCodes(
  ctx: Context,
  actor: Actor,
  draft: Draft<ProveAccount>,
): Promise<readonly string[]> {
  const user = await getOwnUser(ctx.db, actor)
  await proveOwnAccount(ctx, actor, user, draft)
  return renewCodes(ctx, actor, user.id)
}

/** The same for any user, at the command line. */
export async function renewCodes(ctx: Context, actor: Actor, id: number): Promise<readonly string[]> {
  const codes = await makeRecoveryCodes(actor.userId)
  return ctx.transaction(actor, async (tx) => {
    if (!isTwoFactorOn(await getLockedUser(tx.db, id))) throw twoFactorErrors.two_factor_not_enabled()
    await storeRecoveryCodes(tx, id, codes)
    await recordActivity(tx, tx.actor, 'user.recovery_codes_renewed', { type: 'user', id })
    return codes.shown
  })
}

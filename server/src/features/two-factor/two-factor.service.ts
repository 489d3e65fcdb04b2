import type { Actor, Context, Origin, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { sendMail } from '../../delivery/mail.ts'
import { nameOf } from '../../delivery/name-of.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import { fail } from '../../security/sign-in-guard/guard.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { voidTokens } from '../tokens/tokens.service.ts'
import { applyChanges, assertMayManage, getLockedUser, getUser } from '../users/users.service.ts'
import type { SignInState, StoredFactor } from './methods/method.ts'
import { sms } from './methods/sms.ts'
import { twoFactorErrors } from './two-factor.errors.ts'
import type {
  DisableOwnTwoFactor,
  DisableTwoFactor,
  EnableOwnTwoFactor,
  EnableTwoFactor,
  VerifyTwoFactor,
} from './two-factor.schemas.ts'

type Options = StoredFactor['options']

const optionsOf = ({ two_factor_options }: Pick<UserRow, 'two_factor_options'>): Options | null =>
  two_factor_options === null ? null : (JSON.parse(two_factor_options) as Options)

/** The second factor that the routes use. */
const method = sms
type Enrolment = ReturnType<typeof method.read>

/** True if sign-in asks for a code. */
export const isTwoFactorOn = (user: Pick<UserRow, 'two_factor_options'>): boolean => optionsOf(user)?.enabled === true

/** If the feature is switched off, nobody can turn it on. Users who have it on are still asked for a code and can turn it off. */
async function assertFeatureOn(ctx: Context): Promise<void> {
  const settings = await readSettings(ctx)
  if (!settings['two_factor.enabled']) throw errors.not_found()
}

/** Makes a number the user's pending one and sends a code to it. For actors who manage users. */
export async function enableTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<EnableTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  const user = await getUser(ctx.db, id)
  await assertMayManage(ctx.db, actor, user)
  if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
  return startEnrolment(ctx, actor, id, method.read(ctx, draft), assertMayManage)
}

/** The same for the caller, with the current password: an unattended session must not be enough. */
export async function enableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<EnableOwnTwoFactor> | Draft<EnableTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  const user = await getUser(ctx.db, ownId(actor))
  if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
  await requireCurrentPassword(ctx, actor, user, draft)
  return startEnrolment(ctx, actor, user.id, method.read(ctx, draft), ownAccount)
}

/** Who may do it, checked in the transaction. */
type AssertAllowed = (db: ReadDb, actor: Actor, user: UserRow) => Promise<void>

/** The caller's own account needs no permission. */
const ownAccount: AssertAllowed = async () => {}

async function startEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  enrolment: Enrolment,
  assertAllowed: AssertAllowed,
): Promise<UserRow> {
  await method.reserve(ctx, actor, id, enrolment)
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    if (isTwoFactorOn(user)) throw twoFactorErrors.two_factor_enabled()
    await method.enrol(tx, id, enrolment)
    await recordActivity(tx, tx.actor, 'user.two_factor_requested', { type: 'user', id })
    return store(tx, user, method.toStored(enrolment, false))
  })
}

const store = (tx: Tx, user: UserRow, stored: StoredFactor | null): Promise<UserRow> =>
  applyChanges(tx, tx.actor, user, {
    two_factor_country_code: stored?.country_code ?? null,
    two_factor_phone: stored?.phone ?? null,
    two_factor_options: stored === null ? null : JSON.stringify(stored.options),
  })

/** Turns two-factor authentication on with the code from the SMS. For actors who manage users. */
export async function verifyTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<VerifyTwoFactor>,
): Promise<UserRow> {
  await assertFeatureOn(ctx)
  await assertMayManage(ctx.db, actor, await getUser(ctx.db, id))
  return finishEnrolment(ctx, actor, id, draft.accept().token, assertMayManage)
}

/** The same for the caller. */
export async function verifyOwnTwoFactor(ctx: Context, actor: Actor, draft: Draft<VerifyTwoFactor>): Promise<UserRow> {
  await assertFeatureOn(ctx)
  return finishEnrolment(ctx, actor, ownId(actor), draft.accept().token, ownAccount)
}

/** Records a wrong proof in the activity of the account. It has its own attempts and uses up nothing that sign-in needs. */
async function noteWrongProof(ctx: Context, actor: Actor, id: number): Promise<void> {
  const attempt = await toAttempt(ctx.db, actor.origin, id, '')
  await fail(ctx, { attempt, places: [] }, 'two_factor', actor, { field: 'token' })
}

async function finishEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  code: string,
  assertAllowed: AssertAllowed,
): Promise<UserRow> {
  const enrolment = await method.verify(ctx, id, code, () => noteWrongProof(ctx, actor, id))
  if (enrolment === undefined) throw twoFactorErrors.two_factor_token_invalid()
  const stored = method.toStored(enrolment, true)
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    // Another factor may have been requested, or the pending one discarded, since the code was checked.
    const isSame = user.two_factor_country_code === stored.country_code && user.two_factor_phone === stored.phone
    if (!isSame || isTwoFactorOn(user)) throw twoFactorErrors.two_factor_token_invalid()
    const data = { name: nameOf(user), phone: method.describe(enrolment), at: toTimestamp(tx.clock()) }
    await sendMail(tx, { template: 'two-factor-on', to: user.email, userId: id, data })
    await recordActivity(tx, tx.actor, 'user.two_factor_enabled', { type: 'user', id })
    return store(tx, user, stored)
  })
}

/** Turns two-factor authentication off, or discards a pending number. For actors who manage users. */
export function disableTwoFactor(ctx: Context, actor: Actor, id: number): Promise<UserRow> {
  return endTwoFactor(ctx, actor, id, assertMayManage)
}

/** The same for the caller, with the current password. */
export async function disableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<DisableOwnTwoFactor> | Draft<DisableTwoFactor>,
): Promise<UserRow> {
  const user = await getUser(ctx.db, ownId(actor))
  await requireCurrentPassword(ctx, actor, user, draft)
  draft.accept()
  return endTwoFactor(ctx, actor, user.id, ownAccount)
}

async function endTwoFactor(ctx: Context, actor: Actor, id: number, assertAllowed: AssertAllowed): Promise<UserRow> {
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    if (optionsOf(user) === null) throw twoFactorErrors.two_factor_not_enabled()
    await voidTokens(tx.db, id, ['two_factor_enrolment', 'login_challenge'])
    const wasOn = isTwoFactorOn(user)
    if (wasOn) {
      const data = { name: nameOf(user), at: toTimestamp(tx.clock()), byAdministrator: tx.actor.userId !== id }
      await sendMail(tx, { template: 'two-factor-off', to: user.email, userId: id, data })
    }
    const subject = { type: 'user', id } as const
    await recordActivity(tx, tx.actor, 'user.two_factor_disabled', subject, wasOn ? undefined : { pending: true })
    return store(tx, user, null)
  })
}

/** Asks the user for the second factor. The returned challenge is worth nothing without it. */
export const challengeSignIn = (ctx: Context, user: UserRow, origin: Origin, state: SignInState): Promise<string> =>
  method.challenge(ctx, user, origin, state)

/**
 * Uses up a challenge if the proof is right and returns its row; else undefined. `whenWrong` is called for each wrong proof of
 * a pending challenge.
 */
export const answerChallenge = method.answer

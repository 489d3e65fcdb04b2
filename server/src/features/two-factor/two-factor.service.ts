import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import type { UseUp } from '../tokens/tokens.service.ts'
import { assertMayManage, getLockedUser, getOwnUser, getUser } from '../users/users.service.ts'
import { findFactors, insertFactor, removeFactors } from './factors.queries.ts'
import {
  type AssertAllowed,
  afterTurnedOn,
  assertFeatureOn,
  type CodesForFirst,
  dropFactor,
  ownAccount,
  sumUp,
  withCodesForFirst,
} from './factors.service.ts'
import type { FactorRow } from './factors.table.ts'
import {
  readSmsEnrolment,
  reserveSmsEnrolment,
  type SmsEnrolment,
  startSmsEnrolment,
  toSmsSecret,
  verifySmsEnrolment,
} from './methods/sms.ts'
import { twoFactorErrors } from './two-factor.errors.ts'
import type { DisableTwoFactor, EnableTwoFactor, VerifyTwoFactor } from './two-factor.schemas.ts'
import { noteWrongCode } from './wrong-code.ts'

/*
 * The interface's two-factor authentication: codes by SMS, whatever other factors a user has. Its number stands in the user's
 * row, pending or verified.
 */

/** The user's phone, pending or verified. */
const findPhone = async (db: ReadDb, userId: number): Promise<FactorRow | undefined> =>
  (await findFactors(db, userId)).find(({ type }) => type === 'sms')

async function assertSmsOff(db: ReadDb, userId: number): Promise<void> {
  if ((await findPhone(db, userId))?.verified === 1) throw twoFactorErrors.two_factor_enabled()
}

/** Makes a number the user's pending one and sends a code to it. For actors who manage users. */
export async function enableTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<EnableTwoFactor>,
): Promise<UserRow> {
  const user = await getUser(ctx.db, id)
  await assertFeatureOn(ctx, user)
  await assertMayManage(ctx.db, actor, user)
  await assertSmsOff(ctx.db, id)
  return startEnrolment(ctx, actor, id, readSmsEnrolment(ctx, draft), assertMayManage)
}

/** The same for the caller, with the current password: an unattended session must not be enough. */
export async function enableOwnTwoFactor(ctx: Context, actor: Actor, draft: Draft<EnableTwoFactor>): Promise<UserRow> {
  const user = await getOwnUser(ctx.db, actor)
  await assertFeatureOn(ctx, user)
  await assertSmsOff(ctx.db, user.id)
  await requireCurrentPassword(ctx, actor, user, draft)
  return startEnrolment(ctx, actor, user.id, readSmsEnrolment(ctx, draft), ownAccount)
}

async function startEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  enrolment: SmsEnrolment,
  assertAllowed: AssertAllowed,
): Promise<UserRow> {
  await reserveSmsEnrolment(ctx, actor, id, enrolment)
  return ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    await assertSmsOff(tx.db, id)
    await startSmsEnrolment(tx, id, enrolment)
    await removeFactors(tx.db, id, 'sms')
    const created_at = toTimestamp(tx.clock())
    await insertFactor(tx.db, { user_id: id, type: 'sms', name: '', verified: 0, secret: null, created_at })
    await recordActivity(tx, tx.actor, 'user.two_factor_requested', { type: 'user', id })
    return sumUp(tx, user, enrolment)
  })
}

/** A user, and the recovery codes that their first factor brought. */
export interface TurnedOn {
  readonly user: UserRow
  readonly codes: readonly string[] | undefined
}

/** Turns SMS codes on with the code that was sent. For actors who manage users: they never see recovery codes. */
export async function verifyTwoFactor(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<VerifyTwoFactor>,
): Promise<UserRow> {
  const user = await getUser(ctx.db, id)
  await assertFeatureOn(ctx, user)
  await assertMayManage(ctx.db, actor, user)
  return (await finishEnrolment(ctx, actor, id, draft.accept().token, assertMayManage)).user
}

/** The same for the caller. `withCodes`: the answer can show recovery codes. */
export async function verifyOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<VerifyTwoFactor>,
  withCodes = false,
): Promise<TurnedOn> {
  const id = ownId(actor)
  await assertFeatureOn(ctx, await getOwnUser(ctx.db, actor))
  const { token } = draft.accept()
  return finishEnrolment(ctx, actor, id, token, ownAccount, withCodes)
}

async function finishEnrolment(
  ctx: Context,
  actor: Actor,
  id: number,
  code: string,
  assertAllowed: AssertAllowed,
  withCodes = false,
): Promise<TurnedOn> {
  const turnOn = (enrolment: SmsEnrolment, useUp: UseUp, codes?: CodesForFirst) =>
    ctx.transaction(actor, async (tx) => {
      const user = await getLockedUser(tx.db, id)
      await assertAllowed(tx.db, tx.actor, user)
      await useUp(tx)
      const factor = await findPhone(tx.db, id)
      // Another number may have been requested, or the pending one discarded, since the code was checked.
      const isSame =
        user.two_factor_country_code === enrolment.country_code && user.two_factor_phone === enrolment.phone
      if (factor === undefined || factor.verified === 1 || !isSame) throw twoFactorErrors.two_factor_token_invalid()
      const verified = { verified: 1, secret: toSmsSecret(enrolment) }
      await tx.db.updateTable('factors').set(verified).where('id', '=', factor.id).execute()
      const shown = await afterTurnedOn(tx, user, { ...factor, ...verified }, codes)
      await recordActivity(tx, tx.actor, 'user.two_factor_enabled', { type: 'user', id })
      return { user: await sumUp(tx, user), codes: shown }
    })
  const whenRight = (enrolment: SmsEnrolment, useUp: UseUp): Promise<TurnedOn> =>
    withCodes ? withCodesForFirst(ctx, id, (codes) => turnOn(enrolment, useUp, codes)) : turnOn(enrolment, useUp)
  const turnedOn = await verifySmsEnrolment(ctx, id, code, whenRight, () => noteWrongCode(ctx, actor, id))
  if (turnedOn === undefined) throw twoFactorErrors.two_factor_token_invalid()
  return turnedOn
}

/** Turns SMS codes off, or discards a pending number. For actors who manage users. */
export function disableTwoFactor(ctx: Context, actor: Actor, id: number): Promise<UserRow> {
  assertFreshProof(ctx.clock, actor)
  return endTwoFactor(ctx, actor, id, assertMayManage)
}

/** The same for the caller, with the current password. */
export async function disableOwnTwoFactor(
  ctx: Context,
  actor: Actor,
  draft: Draft<DisableTwoFactor>,
): Promise<UserRow> {
  const user = await getOwnUser(ctx.db, actor)
  if (isTwoFactorOn(user)) assertFreshProof(ctx.clock, actor)
  await requireCurrentPassword(ctx, actor, user, draft)
  draft.accept()
  return endTwoFactor(ctx, actor, user.id, ownAccount)
}

const endTwoFactor = (ctx: Context, actor: Actor, id: number, assertAllowed: AssertAllowed): Promise<UserRow> =>
  ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, id)
    await assertAllowed(tx.db, tx.actor, user)
    const factor = await findPhone(tx.db, id)
    if (factor === undefined) throw twoFactorErrors.two_factor_not_enabled()
    return dropFactor(tx, user, factor)
  })

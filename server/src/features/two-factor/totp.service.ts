import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { fromTimestamp, toTimestamp } from '../../core/time.ts'
import { proveOwnAccount } from '../../security/sign-in-guard/current-password.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { maxTries } from '../tokens/tokens.service.ts'
import { getLockedUser, getOwnUser } from '../users/users.service.ts'
import { tryAccountProof } from './code-limit.ts'
import { findFactor, findFactors, insertFactor, removeFactors } from './factors.queries.ts'
import type { CreateTotp, NewTotp, VerifyFactor } from './factors.schemas.ts'
import {
  afterTurnedOn,
  assertFeatureOn,
  type CodesForFirst,
  type FactorOn,
  factorOn,
  sumUp,
  toFactor,
  withCodesForFirst,
} from './factors.service.ts'
import { newSecret, sealSecret, toEnrolment, toSpendTotpCode } from './methods/totp.ts'
import { twoFactorErrors } from './two-factor.errors.ts'
import { noteWrongCode } from './wrong-code.ts'

/** How many apps a user can have. */
const maxApps = 5
/** How long an app can wait for its first code. */
const pendingMs = 3_600_000

/** Starts the enrolment of an authenticator app; an earlier one that was never finished is discarded. */
export async function createTotp(ctx: Context, actor: Actor, draft: Draft<CreateTotp>): Promise<NewTotp> {
  const known = await getOwnUser(ctx.db, actor)
  await assertFeatureOn(ctx, known)
  await proveOwnAccount(ctx, actor, known, draft)
  const { name } = draft.accept()
  const secret = newSecret()
  const factor = await ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, known.id)
    const apps = (await findFactors(tx.db, user.id)).filter((row) => row.type === 'totp' && row.verified === 1)
    if (apps.length >= maxApps) throw twoFactorErrors.too_many_factors()
    await removeFactors(tx.db, user.id, 'totp', true)
    return insertFactor(tx.db, {
      user_id: user.id,
      type: 'totp',
      name: name ?? '',
      verified: 0,
      secret: sealSecret(tx, user.id, secret),
      created_at: toTimestamp(tx.clock()),
    })
  })
  return { id: factor.id, ...(await toEnrolment(ctx, known, secret)) }
}

/** Turns an authenticator app on with a code of it. Five wrong ones end the enrolment. */
export async function verifyTotp(
  ctx: Context,
  actor: Actor,
  factorId: number,
  draft: Draft<VerifyFactor>,
): Promise<FactorOn> {
  const id = ownId(actor)
  await assertFeatureOn(ctx, await getOwnUser(ctx.db, actor))
  const factor = await findFactor(ctx.db, id, factorId)
  if (factor?.type !== 'totp') throw errors.not_found()
  const { token } = draft.accept()
  if (factor.verified === 1) throw twoFactorErrors.two_factor_enabled()
  const isOld = ctx.clock().getTime() - fromTimestamp(factor.created_at) >= pendingMs
  if (isOld || !(await countTry(ctx, factorId))) throw twoFactorErrors.two_factor_token_invalid()
  const spend = await tryAccountProof(ctx, id, () => toSpendTotpCode(ctx, factor, token))
  if (spend === undefined) {
    await noteWrongCode(ctx, actor, id)
    throw twoFactorErrors.two_factor_token_invalid()
  }
  const turnOn = (codes: CodesForFirst) =>
    ctx.transaction(actor, async (tx) => {
      const user = await getLockedUser(tx.db, id)
      const now = { verified: 1, last_used_at: toTimestamp(tx.clock()) }
      const { numUpdatedRows } = await tx.db
        .updateTable('factors')
        .set(now)
        .where('id', '=', factorId)
        .where('verified', '=', 0)
        .executeTakeFirst()
      const isPending = numUpdatedRows > 0n // not discarded meanwhile
      if (!isPending || !(await spend(tx.db))) throw twoFactorErrors.two_factor_token_invalid()
      const turnedOn = { ...factor, ...now }
      const shown = await afterTurnedOn(tx, user, turnedOn, codes)
      await recordActivity(tx, tx.actor, 'user.factor_added', { type: 'user', id }, { type: 'totp' })
      await sumUp(tx, user)
      return factorOn(toFactor(turnedOn), shown)
    })
  return withCodesForFirst(ctx, id, turnOn)
}

async function countTry(ctx: Context, factorId: number): Promise<boolean> {
  const { numUpdatedRows } = await ctx.unguarded
    .updateTable('factors')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', factorId)
    .where('verified', '=', 0)
    .where('tries', '<', maxTries)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

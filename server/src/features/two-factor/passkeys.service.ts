import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { failedAt } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import { proveOwnAccount } from '../../security/sign-in-guard/current-password.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { createToken, takeToken } from '../tokens/tokens.service.ts'
import { getLockedUser, getOwnUser } from '../users/users.service.ts'
import { findFactors, findPasskey, insertFactor } from './factors.queries.ts'
import type { CreatePasskey, ProveAccount } from './factors.schemas.ts'
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
import { creationOptions, enrolmentTokenIn, timeoutMs, verifyNewPasskey } from './methods/passkeys.ts'
import { twoFactorErrors } from './two-factor.errors.ts'

/** How many passkeys a user can have. */
const maxPasskeys = 20

/** The options for a new passkey, as `navigator.credentials.create` takes them. */
export async function createPasskeyOptions(
  ctx: Context,
  actor: Actor,
  draft: Draft<ProveAccount>,
): Promise<Record<string, unknown>> {
  const user = await getOwnUser(ctx.db, actor)
  await assertFeatureOn(ctx, user)
  await proveOwnAccount(ctx, actor, user, draft)
  const token = await ctx.transaction(actor, (tx) =>
    createToken(tx, { purpose: 'passkey_enrolment', userId: user.id, livesMs: timeoutMs }),
  )
  const passkeys = (await findFactors(ctx.db, user.id)).filter(({ type }) => type === 'passkey')
  return { ...(await creationOptions(ctx, user, passkeys, token)) }
}

/** Adds the passkey that the browser made with those options. */
export async function createPasskey(ctx: Context, actor: Actor, draft: Draft<CreatePasskey>): Promise<FactorOn> {
  const id = ownId(actor)
  await assertFeatureOn(ctx, await getOwnUser(ctx.db, actor))
  const { credential, name } = draft.accept()
  const token = enrolmentTokenIn(credential)
  const passkey = token === undefined ? undefined : await verifyNewPasskey(ctx, id, token, credential)
  if (token === undefined || passkey === undefined) throw refused()
  const turnOn = (codes: CodesForFirst) =>
    ctx.transaction(actor, async (tx) => {
      const user = await getLockedUser(tx.db, id)
      const taken = await takeToken(tx, 'passkey_enrolment', token)
      if (taken?.user_id !== id) throw refused()
      if ((await findPasskey(tx.db, passkey.credentialId)) !== undefined) throw refused()
      const known = (await findFactors(tx.db, id)).filter(({ type }) => type === 'passkey')
      if (known.length >= maxPasskeys) throw twoFactorErrors.too_many_factors()
      const factor = await insertFactor(tx.db, {
        user_id: id,
        type: 'passkey',
        name: name ?? '',
        verified: 1,
        secret: passkey.secret,
        credential_id: passkey.credentialId,
        counter: passkey.counter,
        created_at: toTimestamp(tx.clock()),
      })
      const shown = await afterTurnedOn(tx, user, factor, codes)
      await recordActivity(tx, tx.actor, 'user.factor_added', { type: 'user', id }, { type: 'passkey' })
      await sumUp(tx, user)
      return factorOn(toFactor(factor), shown)
    })
  return withCodesForFirst(ctx, id, turnOn)
}

const refused = () => failedAt('credential', twoFactorErrors.passkey_invalid())

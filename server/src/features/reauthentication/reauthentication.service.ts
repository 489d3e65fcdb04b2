import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, failedAt } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import { recordCounted } from '../../security/sign-in-guard/failure-log.ts'
import { failProof } from '../../security/sign-in-guard/guard.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { hasPassword } from '../passwords/no-password.ts'
import { createToken, findToken, type UseUp } from '../tokens/tokens.service.ts'
import { answerChallenge, sendChallengeCode } from '../two-factor/challenge.service.ts'
import { findVerifiedFactors } from '../two-factor/factors.service.ts'
import { requestOptions, timeoutMs } from '../two-factor/methods/passkeys.ts'
import { twoFactorErrors } from '../two-factor/two-factor.errors.ts'
import { getOwnUser } from '../users/users.service.ts'
import type { Reauthenticate, ReauthenticationCode, ReauthenticationOptions } from './reauthentication.schemas.ts'

/*
 * A fresh proof that the person at the session is its user: the password, with a second factor where one is on, or a passkey,
 * which is both.
 */

const reauthenticationErrors = defineErrors({
  not_a_session: [422, 'An API key is not a session: it needs no fresh proof.'],
})

/** An API key has no session whose proof could be fresh, and needs none. */
function assertSession(actor: Actor): string {
  if (actor.sessionId === null) throw reauthenticationErrors.not_a_session()
  return actor.sessionId
}

const newChallenge = (ctx: Context, actor: Actor): Promise<string> =>
  ctx.transaction(actor, (tx) =>
    createToken(tx, { purpose: 'reauthentication', userId: ownId(tx.actor), livesMs: timeoutMs }),
  )

/** The options for a passkey of the caller. */
export async function startReauthentication(ctx: Context, actor: Actor): Promise<ReauthenticationOptions> {
  assertSession(actor)
  const factors = await findVerifiedFactors(ctx.db, ownId(actor))
  const passkeys = factors.filter(({ type }) => type === 'passkey')
  if (passkeys.length === 0) throw twoFactorErrors.no_passkey()
  const challenge = await newChallenge(ctx, actor)
  return { challenge, options: { ...(await requestOptions(ctx, challenge, passkeys)) } }
}

/** Sends the caller a code by SMS. */
export async function sendReauthenticationCode(ctx: Context, actor: Actor): Promise<ReauthenticationCode> {
  assertSession(actor)
  const challenge = await newChallenge(ctx, actor)
  await sendChallengeCode(ctx, actor.origin, challenge, 'reauthentication')
  return { challenge }
}

/** Notes a fresh proof in the caller's session. */
export async function reauthenticate(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<void> {
  assertSession(actor)
  await (draft.given.credential === undefined ? provePassword : provePasskey)(ctx, actor, draft)
}

const noteProof = (ctx: Context, actor: Actor, method: string, useUp?: UseUp): Promise<void> =>
  ctx.transaction(actor, async (tx) => {
    const proved_ms = tx.clock().getTime()
    await tx.db.updateTable('sessions').set({ proved_ms }).where('id', '=', assertSession(tx.actor)).execute()
    await useUp?.(tx)
    await recordCounted(tx, tx.actor, 'user.reauthenticated', ownId(tx.actor), { method }, 1)
  })

async function provePassword(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<void> {
  const user = await getOwnUser(ctx.db, actor)
  const needsFactor = isTwoFactorOn(user)
  if (needsFactor && draft.given.token === undefined && !draft.isRejected('token')) {
    draft.reject('token', 'The token field is required.')
  }
  if (!hasPassword(user)) draft.reject('current_password', 'This account has no password: use a passkey.')
  else await requireCurrentPassword(ctx, actor, user, draft)
  const { token, method, challenge } = draft.accept()
  if (!needsFactor) return noteProof(ctx, actor, 'password')
  const isRight = await answer(ctx, actor, challenge ?? (await newChallenge(ctx, actor)), {
    token,
    method: method ?? undefined,
  })
  if (!isRight) throw failedAt('token', twoFactorErrors.two_factor_token_invalid())
}

async function provePasskey(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<void> {
  if (draft.given.challenge === undefined && !draft.isRejected('challenge')) {
    draft.reject('challenge', 'The challenge field is required.')
  }
  const { challenge = '', credential } = draft.accept()
  const isRight = await answer(ctx, actor, challenge, { credential })
  if (!isRight) throw failedAt('credential', twoFactorErrors.passkey_invalid())
}

/** Notes the proof if the challenge is the caller's own and the answer is right; else false. */
async function answer(
  ctx: Context,
  actor: Actor,
  challenge: string,
  given: Parameters<typeof answerChallenge>[2],
): Promise<boolean> {
  const row = await findToken(ctx, 'reauthentication', challenge)
  if (row?.user_id !== actor.userId) return false
  const field = given.credential === undefined ? 'token' : 'credential'
  const isRight = await answerChallenge(ctx, challenge, given, {
    purpose: 'reauthentication',
    whenRight: async ({ method }, useUp) => {
      await noteProof(ctx, actor, method, useUp)
      return true
    },
    whenWrong: async () => {
      const attempt = await toAttempt(ctx.db, actor.origin, ownId(actor), '')
      await failProof(ctx, { attempt, places: [] }, await getOwnUser(ctx.db, actor), 'two_factor', actor, field)
    },
  })
  return isRight === true
}

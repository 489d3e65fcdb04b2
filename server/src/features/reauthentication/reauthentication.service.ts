import type { Actor, Context, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, failedAt } from '../../core/errors.ts'
import { ownId } from '../../core/own-id.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { requireCurrentPassword } from '../../security/sign-in-guard/current-password.ts'
import { recordCounted } from '../../security/sign-in-guard/failure-log.ts'
import { failProof } from '../../security/sign-in-guard/guard.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { hasPassword } from '../passwords/no-password.ts'
import { createToken, findToken } from '../tokens/tokens.service.ts'
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

/** Notes the fresh proof in the caller's session. */
export async function reauthenticate(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<void> {
  const sessionId = assertSession(actor)
  const { credential } = draft.given
  const method =
    credential === undefined ? await provePassword(ctx, actor, draft) : await provePasskey(ctx, actor, draft)
  await ctx.transaction(actor, async (tx) => {
    await tx.db.updateTable('sessions').set({ proved_ms: tx.clock().getTime() }).where('id', '=', sessionId).execute()
    await recordProof(tx, method)
  })
}

const recordProof = (tx: Tx, method: string): Promise<void> =>
  recordCounted(tx, tx.actor, 'user.reauthenticated', ownId(tx.actor), { method }, 1)

async function provePassword(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<string> {
  const user = await getOwnUser(ctx.db, actor)
  const needsFactor = isTwoFactorOn(user)
  if (needsFactor && draft.given.token === undefined && !draft.isRejected('token')) {
    draft.reject('token', 'The token field is required.')
  }
  if (!hasPassword(user)) draft.reject('current_password', 'This account has no password: use a passkey.')
  else await requireCurrentPassword(ctx, actor, user, draft)
  const { token, method, challenge } = draft.accept()
  if (!needsFactor) return 'password'
  const proved = await answer(ctx, actor, challenge ?? (await newChallenge(ctx, actor)), {
    token,
    method: method ?? undefined,
  })
  if (proved === undefined) throw failedAt('token', twoFactorErrors.two_factor_token_invalid())
  return proved
}

async function provePasskey(ctx: Context, actor: Actor, draft: Draft<Reauthenticate>): Promise<string> {
  if (draft.given.challenge === undefined && !draft.isRejected('challenge')) {
    draft.reject('challenge', 'The challenge field is required.')
  }
  const { challenge = '', credential } = draft.accept()
  const proved = await answer(ctx, actor, challenge, { credential })
  if (proved === undefined) throw failedAt('credential', twoFactorErrors.passkey_invalid())
  return proved
}

/** The method that proved it, if the challenge is the caller's own; else undefined. */
async function answer(
  ctx: Context,
  actor: Actor,
  challenge: string,
  given: Parameters<typeof answerChallenge>[2],
): Promise<string | undefined> {
  const row = await findToken(ctx, 'reauthentication', challenge)
  if (row?.user_id !== actor.userId) return undefined
  const field = given.credential === undefined ? 'token' : 'credential'
  const whenWrong = async () => {
    const attempt = await toAttempt(ctx.db, actor.origin, ownId(actor), '')
    await failProof(ctx, { attempt, places: [] }, await getOwnUser(ctx.db, actor), 'two_factor', actor, field)
  }
  return (await answerChallenge(ctx, challenge, given, { purpose: 'reauthentication', whenWrong }))?.method
}

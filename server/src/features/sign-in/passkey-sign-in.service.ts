import { randomBytes } from 'node:crypto'
import type { Context, Origin } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { failedAt } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import { countOne } from '../../security/attempts/attempts.service.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { fail, failSecondFactor, type Tried } from '../../security/sign-in-guard/guard.ts'
import { findPasskey } from '../two-factor/factors.service.ts'
import { challengeOf, credentialIdIn, requestOptions, timeoutMs, usePasskey } from '../two-factor/methods/passkeys.ts'
import { twoFactorErrors } from '../two-factor/two-factor.errors.ts'
import { getUser } from '../users/users.service.ts'
import type { LoginPasskey, PasskeyChallenge } from './sign-in.schemas.ts'
import { beginSession, type SignedIn } from './sign-in.service.ts'

/*
 * Signing in with a discoverable passkey, without a name. The challenge is sealed rather than stored, so that strangers fill no
 * table; it is remembered once it was answered, so that it works once.
 */

const sealContext = 'passkey sign-in'

interface Sealed {
  readonly token: string
  readonly expiresMs: number
}

export async function startPasskeyLogin(ctx: Context): Promise<PasskeyChallenge> {
  const sealed: Sealed = {
    token: randomBytes(32).toString('base64url'),
    expiresMs: ctx.clock().getTime() + timeoutMs,
  }
  const challenge = ctx.sealer.seal(JSON.stringify(sealed), sealContext)
  return { challenge, options: { ...(await requestOptions(ctx, sealed.token)) } }
}

/** The token of a challenge that is ours and has not expired. */
function openChallenge(ctx: Context, challenge: string): string | undefined {
  if (!challenge.startsWith('v1.')) return undefined
  try {
    const { token, expiresMs } = JSON.parse(ctx.sealer.open(challenge, sealContext)) as Sealed
    return expiresMs > ctx.clock().getTime() ? token : undefined
  } catch {
    return undefined
  }
}

const refused = () => failedAt('credential', twoFactorErrors.passkey_invalid())

/** Signs in with a passkey, which is both factors. */
export async function loginWithPasskey(ctx: Context, origin: Origin, draft: Draft<LoginPasskey>): Promise<SignedIn> {
  const { challenge, credential, device_name = null, cookie = false } = draft.accept()
  const token = openChallenge(ctx, challenge)
  const credentialId = credentialIdIn(credential)
  const factor = credentialId === undefined ? undefined : await findPasskey(ctx.db, credentialId)
  if (token === undefined || factor === undefined) throw refused()
  const attempt = await toAttempt(ctx.db, origin, factor.user_id, '')
  // Counted before it is looked at, so that of parallel uses of one answer only one is right.
  const { count } = await countOne(ctx, `passkey challenge ${hashSecret(token)}`, { windowMs: timeoutMs })
  if (count > 1 || !(await usePasskey(ctx, factor, challengeOf(token), credential, { isNamed: false }))) {
    await failSecondFactor(ctx, attempt)
    throw refused()
  }
  const user = await getUser(ctx.db, factor.user_id)
  if (user.status !== 'Active') {
    await fail(ctx, { attempt, places: [] }, user.status === 'Banned' ? 'banned' : 'unconfirmed')
  }
  const trial: Tried = { attempt, places: [] }
  const how = { method: 'passkey', deviceName: device_name, refusal: refused } as const
  return { cookie, ...(await beginSession(ctx, origin, user.id, null, trial, how)) }
}

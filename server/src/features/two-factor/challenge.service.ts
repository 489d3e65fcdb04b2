import { type Context, type Origin, type Tx, userActor } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import { hashSecret } from '../../core/secrets.ts'
import { toTimestamp } from '../../core/time.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { sendSecurityMail } from '../security-mails/security-mail.ts'
import {
  createToken,
  findToken,
  isCodeOf,
  maxTries,
  renewCode,
  type Spend,
  type UseUp,
} from '../tokens/tokens.service.ts'
import type { TokenPurpose, TokenRow } from '../tokens/tokens.table.ts'
import { getLockedUser, getUser } from '../users/users.service.ts'
import { tryAccountToken } from './code-limit.ts'
import { findVerifiedFactors, noteFactorUse } from './factors.queries.ts'
import type { FactorRow } from './factors.table.ts'
import type { MethodName, SignInState } from './methods/method.ts'
import { challengeOf, credentialIdIn, requestOptions, usePasskey } from './methods/passkeys.ts'
import { countRecoveryCodes, readRecoveryCode, toSpendRecoveryCode } from './methods/recovery-codes.ts'
import { reserveSms } from './methods/sms.ts'
import { codeLivesMs, sendCode } from './methods/sms-text.ts'
import { toSpendTotpCode } from './methods/totp.ts'
import { twoFactorErrors } from './two-factor.errors.ts'

/*
 * The second step of a sign-in, and of a proof by a signed-in user: one challenge that any of the user's methods answers. Five
 * wrong answers over all methods end it.
 */

/** The methods that a user can choose, the preferred first. */
async function methodsOf(ctx: Context, userId: number, factors: readonly FactorRow[]): Promise<MethodName[]> {
  const methods: MethodName[] = (['totp', 'sms', 'passkey'] as const).filter((type) =>
    factors.some((factor) => factor.type === type),
  )
  return (await countRecoveryCodes(ctx.db, userId)) > 0 ? [...methods, 'recovery_code'] : methods
}

export interface Challenged {
  /** Worth nothing without an answer. */
  readonly challenge: string
  readonly methods: readonly MethodName[]
  /** For a passkey. */
  readonly options?: Record<string, unknown>
}

/**
 * The number that a code goes to by itself, counted as sent; undefined if no SMS can be sent now and the user has other methods:
 * a used-up budget must not keep out who could answer with a recovery code.
 */
async function reserveFirstSms(
  ctx: Context,
  user: UserRow,
  phone: FactorRow,
  origin: Origin,
  methods: readonly MethodName[],
): Promise<string | undefined> {
  try {
    return await reserveSms(ctx, user, phone, origin)
  } catch (error) {
    if (!(error instanceof ServiceError) || methods.length === 1) throw error
    return undefined
  }
}

/**
 * Asks a user for a second factor after their password. An SMS goes out only if it is what they prefer; if it cannot be sent, the
 * other methods are offered.
 */
export async function challengeSignIn(
  ctx: Context,
  user: UserRow,
  origin: Origin,
  state: SignInState,
): Promise<Challenged> {
  const factors = await findVerifiedFactors(ctx.db, user.id)
  const own = await methodsOf(ctx, user.id, factors)
  const phone = own[0] === 'sms' ? factors.find(({ type }) => type === 'sms') : undefined
  const number = phone && (await reserveFirstSms(ctx, user, phone, origin, own))
  const methods = phone !== undefined && number === undefined ? own.filter((method) => method !== 'sms') : own
  const challenge = await ctx.transaction(userActor(user.id, origin), async (tx) => {
    // Only one sign-in at a time creates a challenge, so that it voids the one before.
    await getLockedUser(tx.db, user.id)
    const data = { ...state, preferred: own[0] }
    const token = await createToken(tx, { purpose: 'login_challenge', userId: user.id, livesMs: codeLivesMs, data })
    if (number === undefined) return token
    const code = await renewCode(tx, 'login_challenge', token)
    if (code !== undefined) await sendCode(tx, { template: 'two-factor-login', userId: user.id, number, code })
    return token
  })
  const passkeys = factors.filter(({ type }) => type === 'passkey')
  if (passkeys.length === 0) return { challenge, methods }
  return { challenge, methods, options: { ...(await requestOptions(ctx, challenge, passkeys)) } }
}

/** Sends a code by SMS to a challenge; it replaces the one before. Wrong answers stay counted. */
export async function sendChallengeCode(
  ctx: Context,
  origin: Origin,
  challenge: string,
  purpose: TokenPurpose = 'login_challenge',
): Promise<void> {
  const row = await findToken(ctx, purpose, challenge)
  if (row === undefined || row.tries >= maxTries) throw twoFactorErrors.two_factor_token_invalid()
  const user = await getUser(ctx.db, row.user_id, twoFactorErrors.two_factor_token_invalid)
  const phone = (await findVerifiedFactors(ctx.db, user.id)).find(({ type }) => type === 'sms')
  if (phone === undefined) throw twoFactorErrors.two_factor_not_enabled('2FA by SMS is not enabled for this user.')
  const number = await reserveSms(ctx, user, phone, origin)
  await ctx.transaction(userActor(user.id, origin), async (tx) => {
    const code = await renewCode(tx, purpose, challenge)
    if (code === undefined) throw twoFactorErrors.two_factor_token_invalid()
    await sendCode(tx, { template: 'two-factor-login', userId: user.id, number, code })
  })
}

/** What a user answers with: a code, or a passkey. */
export interface Answer {
  readonly token?: string | undefined
  readonly method?: MethodName | undefined
  readonly credential?: Record<string, unknown> | undefined
}

/**
 * The method of a code, unless it is named: by its form. Six digits belong to the method that the challenge preferred; an app that
 * was added since does not take the code of the SMS that went out with it.
 */
function methodOf(
  { token = '', method, credential }: Answer,
  factors: readonly FactorRow[],
  preferred: MethodName | undefined,
): MethodName {
  if (credential !== undefined) return 'passkey'
  if (method != null) return method
  if (readRecoveryCode(token) !== undefined) return 'recovery_code'
  return preferred !== 'sms' && factors.some(({ type }) => type === 'totp') ? 'totp' : 'sms'
}

/** A right answer. */
interface Right {
  readonly method: MethodName
  /** The factor; a recovery code belongs to none. */
  readonly factorId?: number
  /** How to use it up, where it is good once. */
  readonly spend?: Spend
}

/** Undefined if an answer is wrong. `challenge` is what a passkey signed. */
async function check(ctx: Context, row: TokenRow, answer: Answer, challenge: string): Promise<Right | undefined> {
  const factors = await findVerifiedFactors(ctx.db, row.user_id)
  const { preferred } = JSON.parse(row.data ?? '{}') as { preferred?: MethodName }
  const method = methodOf(answer, factors, preferred)
  const { token = '', credential } = answer
  const ofType = factors.filter(({ type }) => type === method)
  switch (method) {
    case 'passkey': {
      const id = credentialIdIn(credential)
      const passkey = ofType.find(({ credential_id }) => credential_id === id)
      if (passkey === undefined) return undefined
      const isRight = await usePasskey(ctx, passkey, challenge, credential, { isNamed: true })
      return isRight ? { method, factorId: passkey.id } : undefined
    }
    case 'totp':
      for (const factor of ofType) {
        const spend = toSpendTotpCode(ctx, factor, token)
        if (spend !== undefined) return { method, factorId: factor.id, spend }
      }
      return undefined
    case 'sms': {
      const [phone] = ofType
      return phone !== undefined && isCodeOf(row, token) ? { method, factorId: phone.id } : undefined
    }
    case 'recovery_code': {
      const spend = factors.length > 0 ? await toSpendRecoveryCode(ctx, row.user_id, token) : undefined
      return spend === undefined ? undefined : { method, spend }
    }
  }
}

const fewCodes = 2

/** After a code was used. */
async function warnOfFewCodes(tx: Tx, userId: number): Promise<void> {
  if ((await countRecoveryCodes(tx.db, userId)) !== fewCodes) return
  await sendSecurityMail(tx, await getUser(tx.db, userId), 'recovery-codes-low', { left: fewCodes })
}

/** A challenge that was answered. */
interface Answered {
  readonly row: TokenRow
  readonly method: MethodName
}

interface Answering<T> {
  readonly purpose: TokenPurpose
  /** Does what the challenge was for, and calls `useUp` in its transaction: what voids the challenge comes before it or after. */
  readonly whenRight: (answered: Answered, useUp: UseUp) => Promise<T>
  /** Called for each wrong answer to a pending challenge. */
  readonly whenWrong: (pending: TokenRow) => Promise<void>
}

/** What `whenRight` returns if the answer is right; else undefined. */
export async function answerChallenge<T>(
  ctx: Context,
  challenge: string,
  answer: Answer,
  { purpose, whenRight, whenWrong }: Answering<T>,
): Promise<T | undefined> {
  let right: Right | undefined
  const isRight = async (row: TokenRow): Promise<boolean | Spend> => {
    right = await check(ctx, row, answer, challengeOf(challenge))
    return right?.spend ?? right !== undefined
  }
  return tryAccountToken(ctx, purpose, hashSecret(challenge), {
    isRight,
    whenRight: (row, useUp) => {
      const { method, factorId } = right as Right
      return whenRight({ row, method }, async (tx) => {
        await useUp(tx)
        if (factorId === undefined) await warnOfFewCodes(tx, row.user_id)
        else await noteFactorUse(tx.db, factorId, toTimestamp(tx.clock()))
      })
    },
    whenWrong,
  })
}

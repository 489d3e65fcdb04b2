import type { Actor, Context, Origin, Tx } from '../../../core/context.ts'
import type { Draft } from '../../../core/draft.ts'
import type { UserRow } from '../../accounts/users.table.ts'
import { createTokenWithCode, findUserToken, type UseUp } from '../../tokens/tokens.service.ts'
import { tryAccountCode } from '../code-limit.ts'
import type { FactorRow } from '../factors.table.ts'
import { twoFactorErrors } from '../two-factor.errors.ts'
import type { EnableTwoFactor } from '../two-factor.schemas.ts'
import { describeReadings, isDigits, readPhoneNumber } from './phone-numbers.ts'
import { countSms } from './sms-budget.ts'
import { findDestinationRefusal } from './sms-destinations.ts'
import { codeLivesMs, sendCode } from './sms-text.ts'

/** A number that is being enrolled, as it was typed and as it is dialled. */
export interface SmsEnrolment {
  readonly country_code: number
  readonly phone: string
  readonly e164: string
}

/** The number that was verified. */
const verifiedNumberOf = ({ secret }: FactorRow): string | undefined =>
  (JSON.parse(secret ?? '{}') as { e164?: string }).e164

const describeNumber = (e164: string): string => `Phone ending in ${e164.slice(-4)}`

/** What tells a phone from others: the end of its number. */
export function phoneNameOf(factor: FactorRow): string | undefined {
  const e164 = verifiedNumberOf(factor)
  return e164 && describeNumber(e164)
}

/** The number that codes go to. Imported users have no verified number, only the one that was typed. */
function numberOf(user: UserRow, factor: FactorRow): string {
  const { two_factor_country_code: code, two_factor_phone: phone } = user
  const e164 = verifiedNumberOf(factor)
  const number = e164 ?? readPhoneNumber(code ?? 0, phone ?? '')
  if (number === undefined) throw new Error(`user ${user.id} has two-factor authentication on, and no phone number`)
  return number
}

/** The number that the body asks for; throws `validation_failed` if it cannot be enrolled. */
export function readSmsEnrolment({ config }: Context, draft: Draft<EnableTwoFactor>): SmsEnrolment {
  const { country_code, phone_number } = draft.given
  const phone = phone_number === undefined ? undefined : String(phone_number)
  const e164 = country_code === undefined || phone === undefined ? undefined : readPhoneNumber(country_code, phone)
  if (phone !== undefined && !isDigits(phone)) {
    draft.reject('phone_number', 'The phone number field must be digits only, without the country code.')
  } else if (country_code !== undefined && phone !== undefined && e164 === undefined) {
    draft.reject('phone_number', twoFactorErrors.phone_number_invalid(describeReadings(country_code)))
    draft.reject('country_code', twoFactorErrors.phone_number_invalid())
  }
  const refusal = e164 === undefined ? undefined : findDestinationRefusal(e164, config)
  if (refusal !== undefined) draft.reject('phone_number', twoFactorErrors.phone_number_refused(refusal))
  return { country_code: draft.accept().country_code, phone: phone as string, e164: e164 as string }
}

/** Before the transaction: counts the cost of the code; throws `too_many_attempts` beyond the budget. */
export const reserveSmsEnrolment = (
  ctx: Context,
  { origin }: Actor,
  userId: number,
  { e164 }: SmsEnrolment,
): Promise<void> => countSms(ctx, { purpose: 'enrolment', number: e164, userId, ip: origin.ip })

/** In the transaction: sends the code that `verifySmsEnrolment` expects. */
export async function startSmsEnrolment(tx: Tx, userId: number, enrolment: SmsEnrolment): Promise<void> {
  const wanted = { purpose: 'two_factor_enrolment', userId, livesMs: codeLivesMs, data: { ...enrolment } } as const
  const { code } = await createTokenWithCode(tx, wanted)
  await sendCode(tx, { template: 'two-factor-enrolment', userId, number: enrolment.e164, code })
}

/** What `whenRight` returns if the code is the one of the pending enrolment; else undefined. `whenWrong` is called for each wrong one. */
export async function verifySmsEnrolment<T>(
  ctx: Context,
  userId: number,
  code: string,
  whenRight: (enrolment: SmsEnrolment, useUp: UseUp) => Promise<T>,
  whenWrong: () => Promise<void>,
): Promise<T | undefined> {
  const pending = await findUserToken(ctx, userId, 'two_factor_enrolment')
  if (pending === undefined) return undefined
  return tryAccountCode(ctx, 'two_factor_enrolment', pending.token_hash, code, {
    whenRight: ({ data }, useUp) => whenRight(JSON.parse(data ?? '{}') as SmsEnrolment, useUp),
    whenWrong,
  })
}

/**
 * The `secret` of the factor's row. The verified number is stored in E.164 form: a later version of the numbering plan might read
 * the typed one differently and send codes to another person.
 */
export const toSmsSecret = ({ e164 }: SmsEnrolment): string => JSON.stringify({ e164 })

/** The number for a code at sign-in, counted as sent. Throws if no SMS goes there, or too many did. */
export async function reserveSms(ctx: Context, user: UserRow, factor: FactorRow, origin: Origin): Promise<string> {
  const number = numberOf(user, factor)
  const refusal = findDestinationRefusal(number, ctx.config)
  if (refusal !== undefined) throw twoFactorErrors.phone_number_refused(refusal)
  await countSms(ctx, { purpose: 'sign-in', number, userId: user.id, ip: origin.ip })
  return number
}

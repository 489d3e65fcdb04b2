import { userActor } from '../../../core/context.ts'
import type { UserRow } from '../../accounts/users.table.ts'
import { createTokenWithCode, findUserToken, hashToken } from '../../tokens/tokens.service.ts'
import { getLockedUser } from '../../users/users.service.ts'
import { tryAccountCode } from '../code-limit.ts'
import { twoFactorErrors } from '../two-factor.errors.ts'
import type { EnableTwoFactor } from '../two-factor.schemas.ts'
import type { Method } from './method.ts'
import { describeReadings, isDigits, readPhoneNumber } from './phone-numbers.ts'
import { countSms } from './sms-budget.ts'
import { findDestinationRefusal } from './sms-destinations.ts'
import { codeLivesMs, sendCode } from './sms-text.ts'

interface Enrolment {
  readonly country_code: number
  readonly phone: string
  readonly e164: string
}

/** The number that codes go to. Imported users have no verified number, only the one that was typed. */
function numberOf(user: UserRow): string {
  const { two_factor_country_code: code, two_factor_phone: phone, two_factor_options: options } = user
  const { e164 } = JSON.parse(options ?? '{}') as { e164?: string }
  const number = e164 ?? readPhoneNumber(code ?? 0, phone ?? '')
  if (number === undefined) throw new Error(`user ${user.id} has two-factor authentication on, and no phone number`)
  return number
}

/** A code of six digits by SMS. */
export const sms: Method<EnableTwoFactor, Enrolment> = {
  channel: 'sms',

  read: ({ config }, draft) => {
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
  },

  reserve: (ctx, { origin }, userId, { e164 }) =>
    countSms(ctx, { purpose: 'enrolment', number: e164, userId, ip: origin.ip }),

  enrol: async (tx, userId, enrolment) => {
    const wanted = { purpose: 'two_factor_enrolment', userId, livesMs: codeLivesMs, data: { ...enrolment } } as const
    const { code } = await createTokenWithCode(tx, wanted)
    await sendCode(tx, { template: 'two-factor-enrolment', userId, number: enrolment.e164, code })
  },

  verify: async (ctx, userId, code, whenWrong) => {
    const pending = await findUserToken(ctx, userId, 'two_factor_enrolment')
    const taken = pending && (await tryAccountCode(ctx, 'two_factor_enrolment', pending.token_hash, code, whenWrong))
    return taken === undefined ? undefined : (JSON.parse(taken.data ?? '{}') as Enrolment)
  },

  // The verified number is stored in E.164 form. A later version of the numbering plan might read the typed one differently
  // and send codes to another person.
  toStored: ({ country_code, phone, e164 }, enabled) => ({
    country_code,
    phone,
    options: { enabled, channel: 'sms', ...(enabled ? { e164 } : {}) },
  }),

  describe: ({ e164 }) => `the number that ends in ${e164.slice(-4)}`,

  challenge: async (ctx, user, origin, state) => {
    const { id } = user
    const number = numberOf(user)
    const refusal = findDestinationRefusal(number, ctx.config)
    if (refusal !== undefined) throw twoFactorErrors.phone_number_refused(refusal)
    await countSms(ctx, { purpose: 'sign-in', number, userId: id, ip: origin.ip })
    return ctx.transaction(userActor(id, origin), async (tx) => {
      // Only one sign-in at a time creates a challenge, so that it voids the one before.
      await getLockedUser(tx.db, id)
      const wanted = { purpose: 'login_challenge', userId: id, livesMs: codeLivesMs, data: { ...state } } as const
      const { token, code } = await createTokenWithCode(tx, wanted)
      await sendCode(tx, { template: 'two-factor-login', userId: id, number, code })
      return token
    })
  },

  answer: (ctx, challenge, code, whenWrong) =>
    tryAccountCode(ctx, 'login_challenge', hashToken(challenge), code, whenWrong),
}

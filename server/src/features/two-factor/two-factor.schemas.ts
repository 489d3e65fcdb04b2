import { type Static, Type } from 'typebox'
import { component, ref } from '../../http/schemas.ts'
import { currentPassword, User } from '../users/users.schemas.ts'

const number = {
  country_code: Type.Integer({
    minimum: 1,
    maximum: 9_999_999,
    description:
      'ISO 3166-1 numeric code. If it makes no valid number with `phone_number`, it is read as a calling code.',
    examples: [276],
  }),
  phone_number: Type.Unsafe<string | number>({
    type: ['string', 'integer'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    maxLength: 20,
    description: 'Without the country code. A string of digits, which keeps leading zeros, or a number.',
    examples: ['1701234567'],
  }),
}
const current_password = Type.Optional(currentPassword)

export const EnableTwoFactor = component('EnableTwoFactor', Type.Object({ ...number, current_password }))
export type EnableTwoFactor = Static<typeof EnableTwoFactor>

export const DisableTwoFactor = component('DisableTwoFactor', Type.Object({ current_password }))
export type DisableTwoFactor = Static<typeof DisableTwoFactor>

export const VerifyTwoFactor = component(
  'VerifyTwoFactor',
  Type.Object({
    token: Type.String({
      'x-digits': 'six',
      minLength: 1,
      maxLength: 255,
      description: 'The six digits from the SMS.',
      examples: ['042195'],
    }),
  }),
)
export type VerifyTwoFactor = Static<typeof VerifyTwoFactor>

export const TokenSent = component(
  'TokenSent',
  Type.Object({ data: ref(User), message: Type.String({ examples: ['Verification token sent.'] }) }),
)

export const SmsCountry = component(
  'SmsCountry',
  Type.Object({
    id: Type.Integer({ description: 'ISO 3166-1 numeric code, for `country_code`.', examples: [276] }),
    name: Type.String({ examples: ['Germany'] }),
    calling_code: Type.Integer({ examples: [49] }),
  }),
)
export type SmsCountry = Static<typeof SmsCountry>

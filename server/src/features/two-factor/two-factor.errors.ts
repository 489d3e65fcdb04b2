import { defineErrors } from '../../core/errors.ts'

export const twoFactorErrors = defineErrors({
  two_factor_enabled: [422, '2FA is already enabled for this user.'],
  two_factor_not_enabled: [422, '2FA is not enabled for this user.'],
  two_factor_token_invalid: [422, 'Invalid 2FA token.'],
  phone_number_invalid: [422, 'The country code makes no phone number with this one.'],
  phone_number_refused: [422, 'No codes are sent to this phone number.'],
  too_many_factors: [422, 'You have as many factors of this kind as there can be: remove one first.'],
  passkey_invalid: [422, 'This passkey was not accepted.'],
  no_passkey: [422, 'You have no passkey.'],
  factor_only_way_in: [422, 'Without a password, this is the only way into your account: add another first.'],
})

/** For the documentation of the routes. */
export const whenSwitchedOff = { 404: 'two-factor authentication is switched off' } as const

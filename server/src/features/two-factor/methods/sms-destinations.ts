import { type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Config } from '../../../config.ts'
import { countries } from '../../countries/countries.data.ts'
import type { SmsCountry } from '../two-factor.schemas.ts'

/** Numbers whose owner earns or pays for each message. */
const refusedTypes: ReadonlySet<NumberType> = new Set(['PREMIUM_RATE', 'SHARED_COST'])

/**
 * Calling codes of no country: satellite phones (870, 881), networks that span countries (882, 883; many are satellites),
 * international shared cost (808) and premium rate (979).
 */
const refusedCallingCodes = new Set(['808', '870', '881', '882', '883', '979'])

/** The countries that a number may belong to. A valid number has exactly one. */
const countriesOf = (number: PhoneNumber): string[] =>
  number.country === undefined ? number.getPossibleCountries() : [number.country]

/** Why no SMS may be sent to a number in E.164 form; undefined if it may. */
export function findDestinationRefusal(
  e164: string,
  { smsCountries }: Pick<Config, 'smsCountries'>,
): string | undefined {
  const number = parsePhoneNumberFromString(e164)
  if (number === undefined) return 'This is no phone number.'
  if (refusedTypes.has(number.getType()) || refusedCallingCodes.has(number.countryCallingCode)) {
    return 'No codes are sent to premium-rate, shared-cost and satellite numbers.'
  }
  if (smsCountries === null) return undefined
  const countries = countriesOf(number)
  const isAllowed = countries.length > 0 && countries.every((country) => smsCountries.includes(country))
  return isAllowed ? undefined : 'No codes are sent to numbers of this country.'
}

/** The countries that codes can go to; none if no SMS service is configured: then a code would reach no phone. */
export function listSmsCountries({ sms, smsCountries }: Pick<Config, 'sms' | 'smsCountries'>): SmsCountry[] {
  if (sms === null) return []
  const allowed = countries.filter(({ iso_3166_2 }) => smsCountries === null || smsCountries.includes(iso_3166_2))
  return allowed.flatMap(({ id, name, calling_code }) => (calling_code === null ? [] : [{ id, name, calling_code }]))
}

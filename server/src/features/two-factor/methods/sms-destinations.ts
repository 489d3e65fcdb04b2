import { type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Config } from '../../../config.ts'

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

import { type NumberType, type PhoneNumber, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { Config } from '../../../config.ts'

/** Numbers whose owner earns from each message, or whom it costs. */
const refusedTypes: ReadonlySet<NumberType> = new Set(['PREMIUM_RATE', 'SHARED_COST'])

/**
 * Calling codes of no country: satellite phones (870, 881), networks that span countries, many of them satellites, too (882,
 * 883), international shared cost (808) and premium rate (979).
 */
const refusedCallingCodes = new Set(['808', '870', '881', '882', '883', '979'])

/** The countries that a number may belong to: one, but for numbers that are only possible. */
const countriesOf = (number: PhoneNumber): string[] =>
  number.country === undefined ? number.getPossibleCountries() : [number.country]

/** Why no SMS is sent to a number in E.164 form; undefined where it may have one. */
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

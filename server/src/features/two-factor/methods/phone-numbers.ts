import {
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { countries, findCountry } from '../../countries/countries.data.ts'

/*
 * `country_code` is an ISO 3166-1 numeric code, but clients of this interface also send calling codes. If the first reading
 * makes no valid number, the second is tried. Only the full metadata (`/max`) tells an existing number from one that merely
 * has the right length; it takes 0.4 MB more than `/min`.
 */

/** `+1876` for Jamaica and similar: longer than the network's own code, and listed by GET /countries. */
const longCallingCodes = new Set(countries.map((country) => country.calling_code))

/** For an ISO code; undefined if it is unknown or the country has no phone numbers. */
function readWithCountry(code: number, digits: string): PhoneNumber | undefined {
  const region = findCountry(code)?.iso_3166_2
  if (region === undefined || !isSupportedCountry(region)) return undefined
  const number = parsePhoneNumberFromString(digits, { defaultCountry: region, extract: false })
  // An international prefix (`0044…`) would override the country code.
  return number?.countryCallingCode === getCountryCallingCode(region) ? number : undefined
}

function readWithCallingCode(code: number, digits: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(`+${code}${digits}`, { extract: false })
  // `+276…` would be South Africa, +27, followed by a 6 that belongs to the code.
  return number?.countryCallingCode === String(code) || longCallingCodes.has(code) ? number : undefined
}

export const isDigits = (text: string): boolean => /^[0-9]+$/.test(text)

/** The number in E.164 form; undefined if neither reading makes a possible one. A valid number has priority over a possible one. */
export function readPhoneNumber(code: number, digits: string): string | undefined {
  if (!isDigits(digits)) return undefined
  const readings = [readWithCountry(code, digits), readWithCallingCode(code, digits)]
  const valid = readings.find((reading) => reading?.isValid())
  return (valid ?? readings.find((reading) => reading?.isPossible()))?.number
}

/** Describes the attempts to make a phone number with this country code. */
export function describeReadings(code: number): string {
  const country = findCountry(code)
  const first =
    country === undefined
      ? `${code} is no ISO 3166-1 numeric code`
      : `with ${code} as the ISO 3166-1 numeric code of ${country.name} it is none`
  return `The phone number field must be a possible phone number: ${first}, and with ${code} as the calling code (+${code}) it is none either.`
}

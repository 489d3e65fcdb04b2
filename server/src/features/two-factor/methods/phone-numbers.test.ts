import { describe, expect, it } from 'vitest'
import { describeReadings, readPhoneNumber } from './phone-numbers.ts'

type Row = [code: number, digits: string, e164: string | undefined, why: string]

const rows: Row[] = [
  // ISO 3166-1 numeric
  [276, '1701234567', '+491701234567', 'Germany, mobile'],
  [276, '01701234567', '+491701234567', 'Germany, with the trunk zero'],
  [840, '2025550100', '+12025550100', 'United States'],
  [124, '4165550123', '+14165550123', 'Canada'],
  [826, '7911123456', '+447911123456', 'United Kingdom'],
  [826, '07911123456', '+447911123456', 'United Kingdom, with the trunk zero'],
  [250, '612345678', '+33612345678', 'France'],
  [756, '791234567', '+41791234567', 'Switzerland'],
  [40, '6641234567', '+436641234567', 'Austria is 040, and +40 is Romania'],
  [380, '0612345678', '+390612345678', 'Italy keeps the zero of Rome'],
  [380, '3123456789', '+393123456789', 'Italy, mobile'],
  [643, '89161234567', '+79161234567', 'Russia, with the trunk 8'],
  [388, '8765551234', '+18765551234', 'Jamaica, area code included'],
  // calling code
  [49, '1701234567', '+491701234567', 'no ISO code'],
  [49, '01701234567', '+491701234567', 'no ISO code, with the trunk zero'],
  [1, '2025550100', '+12025550100', 'no ISO code'],
  [44, '7911123456', '+447911123456', 'as ISO code 044 the Bahamas, where it is no number'],
  [33, '612345678', '+33612345678', 'no ISO code'],
  [41, '791234567', '+41791234567', 'no ISO code'],
  [39, '0612345678', '+390612345678', 'no ISO code; the zero stays'],
  [39, '3123456789', '+393123456789', 'no ISO code'],
  [7, '9161234567', '+79161234567', 'no ISO code'],
  [40, '712034567', '+40712034567', 'as ISO code 040 Austria, where it is no number'],
  [36, '12345678', '+3612345678', 'as ISO code 036 Australia, where it is no number'],
  [1876, '5551234', '+18765551234', 'the calling code that GET /countries shows for Jamaica'],
  [800, '12345678', '+80012345678', 'as ISO code 800 Uganda, where it is no number: international freephone'],
  // both: ISO goes first
  [380, '501234567', '+380501234567', 'Ukraine: for Italy it is no number'],
  [380, '0501234567', '+390501234567', 'Italy (Pisa), though for Ukraine it would be a number, too'],
  [36, '412345678', '+61412345678', 'an Australian mobile'],
  [36, '201234567', '+61201234567', 'Australia, though for Hungary it would be a mobile: Hungary is 348'],
  [348, '201234567', '+36201234567', 'Hungary'],
  [44, '2423591234', '+12423591234', 'a Bahamian mobile'],
  [840, '5551234567', '+15551234567', 'valid nowhere, but possible: nobody is locked out by an old number plan'],
  // neither
  [276, '1', undefined, 'too short'],
  [276, '123456789012345678', undefined, 'too long'],
  [276, '00447911123456', undefined, 'an international prefix names another country than the code'],
  [276, '+491701234567', undefined, 'not digits alone'],
  [276, '١٧٠١٢٣٤٥٦٧', undefined, 'not ASCII digits'],
  [276, '', undefined, 'nothing'],
  [3, '90612345678', undefined, 'begins like Italy, but +3 is no calling code'],
  [999, '12345678', undefined, 'no such code'],
  [10, '12345678', undefined, 'Antarctica has no phone numbers, and +10 is no calling code'],
]

// asvs: 2.2.3
describe('a country code and a phone number', () => {
  it.each(rows)('%s %s is %s (%s)', (code, digits, e164) => {
    expect(readPhoneNumber(code, digits)).toBe(e164)
  })

  it('are refused with a message that names both readings', () => {
    expect(describeReadings(276)).toMatch(/276 as the ISO 3166-1 numeric code of Germany .* calling code \(\+276\)/)
    expect(describeReadings(999)).toMatch(/999 is no ISO 3166-1 numeric code, .* calling code \(\+999\)/)
  })
})

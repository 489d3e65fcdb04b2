import { Random } from './synthetic-random.ts'
import { type Compound, loadTables } from './synthetic-regions.ts'

export interface SyntheticUser {
  email: string
  username: string
  first_name: string
  last_name: string
  /** International form with the country's calling code, such as `+33 1 23 45 67 89`. */
  phone: string | null
  address: string | null
  /** `YYYY-MM-DD`: 18 to 90 years old on the given day. */
  birthday: string | null
  /** ISO 3166-1 numeric code. */
  country_id: number | null
  status: 'Active' | 'Unconfirmed' | 'Banned'
  /** `YYYY-MM-DD HH:MM:SS`, UTC, in the three years before the given instant. */
  created_at: string
  /** Not before `created_at`, not after the given instant. */
  updated_at: string
}

export interface SyntheticUserOptions {
  count: number
  randomSeed: number
  /** Index of the first user; an earlier run of k users is continued with k. */
  start?: number
  now: Date
}

/** Names reserved by RFC 2606: no message to them can reach anybody. */
const emailDomains = [
  'example.com',
  'example.org',
  'example.net',
  'mail.example.com',
  'post.example.org',
  'inbox.example.net',
]

function handleFor(style: number, first: string, last: string): string {
  if (style === 0) return `${first}.${last}`
  if (style === 1) return `${first}${last}`
  if (style === 2) return `${first}_${last}`
  return `${first.charAt(0)}${last}`
}

function phoneNumber(random: Random, pattern: string): string {
  let out = ''
  let digits = 0
  let left = 0
  for (const char of pattern) {
    if (char !== '#') {
      out += char
      continue
    }
    if (left === 0) {
      digits = random.below(1_000_000)
      left = 6
    }
    out += digits % 10
    digits = Math.floor(digits / 10)
    left--
  }
  return out
}

function draw(random: Random, { heads, separator, tails }: Compound): string {
  return tails.length === 1 ? random.pick(heads) : random.pick(heads) + separator + random.pick(tails)
}

const twoDigits = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'))
const SECONDS_PER_DAY = 86_400
const THREE_YEARS = 3 * 365 * SECONDS_PER_DAY

/** `YYYY-MM-DD` of a day counted from 1970-01-01 (Howard Hinnant's civil_from_days; years 1000 to 9999). */
function dateText(day: number): string {
  const z = day + 719_468
  const era = Math.floor(z / 146_097)
  const dayOfEra = z - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const dayOfMonth = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${year}-${twoDigits[month]}-${twoDigits[dayOfMonth]}`
}

function timestampText(second: number): string {
  const day = Math.floor(second / SECONDS_PER_DAY)
  const rest = second - day * SECONDS_PER_DAY
  const hour = twoDigits[Math.floor(rest / 3600)]
  return `${dateText(day)} ${hour}:${twoDigits[Math.floor(rest / 60) % 60]}:${twoDigits[rest % 60]}`
}

/** The day this many years before, or the last of February if that year has no 29th. */
function yearsBefore(now: Date, years: number): number {
  const year = now.getUTCFullYear() - years
  const lastOfMonth = new Date(Date.UTC(year, now.getUTCMonth() + 1, 0)).getUTCDate()
  return Date.UTC(year, now.getUTCMonth(), Math.min(now.getUTCDate(), lastOfMonth)) / 1000 / SECONDS_PER_DAY
}

/**
 * Invented users from many countries and scripts, the same ones for the same seed, start and now.
 *
 * User number i depends only on the seed, i and now. Its email address and username end in i, so a later call with `start`
 * = k continues an earlier one of k users without duplicates.
 */
export function* syntheticUsers({ count, randomSeed, start = 0, now }: SyntheticUserOptions): Generator<SyntheticUser> {
  if (!Number.isSafeInteger(count) || count < 0) throw new RangeError('count must be a whole number from 0')
  if (!Number.isSafeInteger(randomSeed)) throw new RangeError('randomSeed must be a whole number')
  if (!Number.isSafeInteger(start) || start < 0 || start + count > 2 ** 32) {
    throw new RangeError('start must be a whole number from 0, and start + count at most 2^32')
  }
  const nowSecond = Math.floor(now.getTime() / 1000)
  if (!(now.getUTCFullYear() >= 1200 && now.getUTCFullYear() <= 9999)) {
    throw new RangeError('now must be a date in the years 1200 to 9999')
  }

  const { regions, neutral } = loadTables()
  const random = new Random(randomSeed)
  const youngest = yearsBefore(now, 18)
  const oldest = yearsBefore(now, 91) + 1

  for (let index = start; index < start + count; index++) {
    random.reset(index)
    const region = random.pick(regions)
    const [countryId, phone] = random.float() < 0.5 ? region.countries[0] : random.pick(region.countries)
    const sex = random.float() < 0.5 ? 'female' : 'male'
    const first = random.pick(region.first[sex])
    const last = random.pick(region.last[sex])
    const { share, separator } = region.doubleSurname
    const lastName =
      share > 0 && random.float() < share ? last.text + separator + random.pick(region.last[sex]).text : last.text

    let given = first.handle
    let surname = last.handle
    if (given === '' || surname === '') {
      given = random.pick(neutral.first[sex]).handle
      surname = random.pick(neutral.last).handle
    }
    // Handles contain no digits, so the digits at their end are always the index.
    const username = handleFor(random.below(4), given, surname) + index
    const mailbox = random.float() < 0.6 ? username : handleFor(random.below(4), given, surname) + index

    const roll = random.float()
    const status = roll < 0.9 ? 'Active' : roll < 0.98 ? 'Unconfirmed' : 'Banned'
    const age = random.below(THREE_YEARS)
    // A user who never confirmed the address has not changed anything either.
    const untouched = status === 'Unconfirmed' || random.float() < 0.3
    const created = nowSecond - age
    const createdAt = timestampText(created)

    yield {
      email: `${mailbox}@${random.pick(emailDomains)}`,
      username,
      first_name: first.text,
      last_name: lastName,
      phone: random.float() < 0.3 ? null : phoneNumber(random, phone),
      address:
        random.float() < 0.4
          ? null
          : region.address(
              draw(random, region.street),
              1 + Math.floor(180 * random.float() ** 2),
              draw(random, region.city),
            ),
      // More young people than old ones: the density falls linearly to 0 at the oldest.
      birthday:
        random.float() < 0.2
          ? null
          : dateText(youngest - Math.floor((1 - Math.sqrt(1 - random.float())) * (youngest - oldest + 1))),
      country_id: random.float() < 0.05 ? null : countryId,
      status,
      created_at: createdAt,
      updated_at: untouched ? createdAt : timestampText(created + random.below(age + 1)),
    }
  }
}

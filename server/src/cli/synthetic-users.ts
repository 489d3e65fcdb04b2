// One module per locale: half the start-up time of the package's index, which loads all of them.
import type { LocaleDefinition, PersonEntryDefinition } from '@faker-js/faker'
import { faker as ar } from '@faker-js/faker/locale/ar'
import { faker as cs } from '@faker-js/faker/locale/cs_CZ'
import { faker as de } from '@faker-js/faker/locale/de'
import { faker as el } from '@faker-js/faker/locale/el'
import { faker as en } from '@faker-js/faker/locale/en'
import { faker as enIn } from '@faker-js/faker/locale/en_IN'
import { faker as es } from '@faker-js/faker/locale/es'
import { faker as fr } from '@faker-js/faker/locale/fr'
import { faker as he } from '@faker-js/faker/locale/he'
import { faker as hy } from '@faker-js/faker/locale/hy'
import { faker as it } from '@faker-js/faker/locale/it'
import { faker as ja } from '@faker-js/faker/locale/ja'
import { faker as ka } from '@faker-js/faker/locale/ka_GE'
import { faker as ko } from '@faker-js/faker/locale/ko'
import { faker as ne } from '@faker-js/faker/locale/ne'
import { faker as pl } from '@faker-js/faker/locale/pl'
import { faker as pt } from '@faker-js/faker/locale/pt_BR'
import { faker as ru } from '@faker-js/faker/locale/ru'
import { faker as sv } from '@faker-js/faker/locale/sv'
import { faker as th } from '@faker-js/faker/locale/th'
import { faker as tr } from '@faker-js/faker/locale/tr'
import { faker as uk } from '@faker-js/faker/locale/uk'
import { faker as vi } from '@faker-js/faker/locale/vi'
import { faker as zh } from '@faker-js/faker/locale/zh_CN'

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

// ---- Random numbers -------------------------------------------------------------------------------------------------

/** The finalizer of splitmix32: a bijection, so two indices under one seed never start from the same state. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return h ^ (h >>> 15)
}

const GOLDEN_RATIO = 0x9e3779b9

/**
 * splitmix32, seeded anew for each user. Each user has a step of its own as well: with a common one, two users a few
 * steps apart would run into the same sequence, which made several twins in a million.
 */
class Random {
  #state = 0
  #step = 1
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = mix(seed ^ mix(Math.floor(seed / 2 ** 32) + GOLDEN_RATIO))
  }

  reset(index: number): void {
    this.#state = mix(mix(index + GOLDEN_RATIO) ^ this.#seed)
    this.#step = mix(this.#state ^ GOLDEN_RATIO) | 1
  }

  /** From 0 up to but not including 1. */
  float(): number {
    this.#state = (this.#state + this.#step) | 0
    return (mix(this.#state) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.float() * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}

// ---- Names and places -----------------------------------------------------------------------------------------------

interface Name {
  text: string
  /** Lower-case ASCII letters, or '' where the name is not in Latin script. */
  handle: string
}

/** A head and a tail, each drawn on its own. */
interface Compound {
  heads: readonly string[]
  separator: string
  tails: readonly string[]
}

/** ISO 3166-1 numeric code, and a pattern of its phone numbers in which each # is a digit. */
type Country = readonly [id: number, phone: string]

interface Region {
  weight: number
  /** The first one has half of the people and its share of the rest. */
  countries: readonly [Country, ...Country[]]
  first: { female: Name[]; male: Name[] }
  last: { female: Name[]; male: Name[] }
  /** Share of people with two surnames, and what stands between them. */
  doubleSurname: { share: number; separator: string }
  street: Compound
  city: Compound
  address(street: string, number: number, city: string): string
}

/** Letters that no decomposition takes apart. */
const plainLetters: Record<string, string> = {
  ł: 'l',
  đ: 'd',
  ø: 'o',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
  ð: 'd',
}

function handleOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, (char) => plainLetters[char] ?? '')
}

/** Locale data as we want to store it: NFC, trimmed, nothing empty, no templates and no remarks in brackets. */
function clean(list: readonly string[] | null | undefined, what: string): string[] {
  const out = (list ?? [])
    .map((text) => text.normalize('NFC').trim())
    .filter((text) => text !== '' && text.isWellFormed() && !/[{}()]/.test(text))
  if (out.length === 0) throw new Error(`The locale data of @faker-js/faker have no ${what}`)
  return [...new Set(out)]
}

function names(entry: PersonEntryDefinition<string> | null | undefined, what: string) {
  const pool = (own: string[] | undefined): Name[] =>
    clean([...(own ?? []), ...(entry?.generic ?? [])], what).map((text) => ({ text, handle: handleOf(text) }))
  return { female: pool(entry?.female), male: pool(entry?.male) }
}

function compound(heads: readonly string[], separator = '', tails: readonly string[] = ['']): Compound {
  return { heads, separator, tails }
}

const numberLast = (street: string, number: number, city: string) => `${street} ${number}, ${city}`
const numberFirst = (street: string, number: number, city: string) => `${number} ${street}, ${city}`
const numberApart = (street: string, number: number, city: string) => `${street}, ${number}, ${city}`

type Place = NonNullable<LocaleDefinition['location']>

function buildRegions(): Region[] {
  const region = (
    weight: number,
    { rawDefinitions: { person, location } }: { rawDefinitions: LocaleDefinition },
    countries: Region['countries'],
    parts: {
      street(texts: (key: keyof Place) => string[], last: string[]): Compound
      city?(texts: (key: keyof Place) => string[], last: string[]): Compound
      address?: Region['address']
      doubleSurname?: Region['doubleSurname']
    },
  ): Region => {
    const texts = (key: keyof Place) => clean(location?.[key] as string[] | null | undefined, `location.${key}`)
    const first = names(person?.first_name, 'person.first_name')
    const last = names(person?.last_name, 'person.last_name')
    const surnames = last.male.map((name) => name.text)
    return {
      weight,
      countries,
      first,
      last,
      doubleSurname: parts.doubleSurname ?? { share: 0, separator: '' },
      street: parts.street(texts, surnames),
      city: parts.city?.(texts, surnames) ?? compound(texts('city_name')),
      address: parts.address ?? numberLast,
    }
  }

  // North American numbers use area code 555, which belongs to nobody.
  return [
    region(
      14,
      en,
      [
        [840, '+1 555 ### ####'],
        [826, '+44 7### ######'],
        [124, '+1 555 ### ####'],
        [36, '+61 4## ### ###'],
        [372, '+353 8# ### ####'],
        [554, '+64 2# ### ####'],
      ],
      {
        street: (t) => compound(t('street_name')),
        address: numberFirst,
        doubleSurname: { share: 0.05, separator: '-' },
      },
    ),
    region(8, enIn, [[356, '+91 9#### #####']], {
      street: (_, last) => compound(last, ' ', ['Road', 'Marg', 'Nagar', 'Lane']),
      address: numberFirst,
    }),
    region(
      7,
      de,
      [
        [276, '+49 15# ########'],
        [40, '+43 66# #######'],
        [756, '+41 7# ### ## ##'],
      ],
      { street: (t) => compound(t('street_name')), doubleSurname: { share: 0.04, separator: '-' } },
    ),
    region(
      7,
      fr,
      [
        [250, '+33 1 ## ## ## ##'],
        [56, '+32 4## ## ## ##'],
        [686, '+221 7# ### ## ##'],
      ],
      { street: (t) => compound(t('street_prefix'), ' ', t('street_suffix')), address: numberFirst },
    ),
    region(
      8,
      es,
      [
        [724, '+34 6## ### ###'],
        [484, '+52 55 #### ####'],
        [32, '+54 9 11 #### ####'],
        [170, '+57 3## ### ####'],
        [604, '+51 9## ### ###'],
        [152, '+56 9 #### ####'],
      ],
      {
        street: (_, last) => compound(['Calle', 'Avenida', 'Camino', 'Plaza', 'Paseo'], ' ', last),
        doubleSurname: { share: 0.7, separator: ' ' },
      },
    ),
    region(5, pt, [[76, '+55 11 9#### ####']], {
      street: (t, last) => compound(t('street_prefix'), ' ', last),
      city: (t, last) => compound(last, ' ', t('city_suffix')),
      doubleSurname: { share: 0.3, separator: ' ' },
    }),
    region(4, it, [[380, '+39 3## ### ####']], { street: (t, last) => compound(t('street_suffix'), ' ', last) }),
    region(4, pl, [[616, '+48 6## ### ###']], { street: (t, last) => compound(t('street_prefix'), ' ', last) }),
    region(4, tr, [[792, '+90 53# ### ## ##']], { street: (t) => compound(t('street_name')) }),
    region(4, vi, [[704, '+84 9# ### ## ##']], {
      street: (_, last) => compound(['Đường', 'Phố', 'Ngõ'], ' ', last),
      address: numberFirst,
    }),
    region(2, cs, [[203, '+420 6## ### ###']], { street: (t) => compound(t('street_name')) }),
    region(2, sv, [[752, '+46 7# ### ## ##']], {
      street: (t) => compound(t('street_name_part'), '', t('street_suffix')),
      city: (t) => compound(t('city_prefix'), '', t('city_suffix')),
      doubleSurname: { share: 0.1, separator: ' ' },
    }),
    region(
      6,
      ru,
      [
        [643, '+7 9## ### ## ##'],
        [398, '+7 7## ### ## ##'],
      ],
      { street: (t) => compound(t('street_suffix'), ' ', t('street_name_part')), address: numberApart },
    ),
    region(3, uk, [[804, '+380 6# ### ## ##']], {
      street: (t) => compound(t('street_prefix'), ' ', t('street_name_part')),
      address: numberApart,
    }),
    region(
      2,
      el,
      [
        [300, '+30 69# ### ####'],
        [196, '+357 99 ######'],
      ],
      { street: (t) => compound(t('street_name')) },
    ),
    region(
      6,
      ar,
      [
        [818, '+20 10 #### ####'],
        [682, '+966 5# ### ####'],
        [784, '+971 5# ### ####'],
        [504, '+212 6 ## ## ## ##'],
        [400, '+962 7 #### ####'],
      ],
      {
        street: (_, last) => compound(['شارع', 'جادة', 'ساحة'], ' ', last),
        address: (street, number, city) => `${street} ${number}، ${city}`,
      },
    ),
    region(2, he, [[376, '+972 5# ### ####']], {
      street: (t) => compound(t('street_prefix'), ' ', t('street_name_part')),
    }),
    region(6, ja, [[392, '+81 90 #### ####']], {
      street: (_, last) => compound(last, '', ['町', '']),
      city: (t, last) => compound(last, '', t('city_suffix')),
      address: (street, number, city) => `${city}${street}${1 + (number % 9)}丁目${number}番`,
    }),
    region(10, zh, [[156, '+86 13# #### ####']], {
      street: (t) => compound(t('street_name')),
      address: (street, number, city) => `${city}市${street}${number}号`,
    }),
    region(4, ko, [[410, '+82 10 #### ####']], {
      street: (t) => compound(t('street_name_part'), '', t('street_suffix')),
      city: (t) => compound(t('city_name'), '', t('city_suffix')),
      address: (street, number, city) => `${city} ${street} ${number}`,
    }),
    region(3, th, [[764, '+66 8# ### ####']], {
      street: (t) => compound(t('street_name')),
      address: (street, number, city) => `${number} ถนน${street} ${city}`,
    }),
    region(2, ka, [[268, '+995 5## ### ###']], {
      street: (t) => compound(t('street_name_part'), ' ', t('street_suffix')),
    }),
    region(2, hy, [[51, '+374 9# ######']], {
      street: (t, last) => compound(last, ' ', t('street_suffix')),
      city: (t, last) => compound(t('city_prefix'), ' ', last),
    }),
    region(3, ne, [[524, '+977 98########']], { street: (_, last) => compound(last, ' ', ['मार्ग', 'चोक', 'टोल']) }),
  ]
}

interface Tables {
  /** Each region as often as its weight says. */
  regions: readonly Region[]
  /** Given names and surnames for handles of people whose own names are not Latin. */
  neutral: { first: { female: Name[]; male: Name[] }; last: Name[] }
}

let tables: Tables | undefined

function loadTables(): Tables {
  const english = en.rawDefinitions.person
  tables ??= {
    regions: buildRegions().flatMap((region) => new Array<Region>(region.weight).fill(region)),
    neutral: {
      first: names(english?.first_name, 'person.first_name'),
      last: names(english?.last_name, 'person.last_name').male,
    },
  }
  return tables
}

/** Names set aside by RFC 2606: no message to them can reach anybody. */
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

// ---- Dates ----------------------------------------------------------------------------------------------------------

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

/** The day so many years before, or the last of February where that year has no 29th. */
function yearsBefore(now: Date, years: number): number {
  const year = now.getUTCFullYear() - years
  const lastOfMonth = new Date(Date.UTC(year, now.getUTCMonth() + 1, 0)).getUTCDate()
  return Date.UTC(year, now.getUTCMonth(), Math.min(now.getUTCDate(), lastOfMonth)) / 1000 / SECONDS_PER_DAY
}

// ---- Users ----------------------------------------------------------------------------------------------------------

/**
 * Invented users from many countries and scripts, the same ones for the same seed, start and now.
 *
 * User number i depends on the seed, i and now only, and its e-mail address and username end in i, so a later call with
 * `start` = k continues an earlier one of k users and never makes either twice.
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
    // Handles hold no digit, so the digits at their end are the index and nothing else.
    const username = handleFor(random.below(4), given, surname) + index
    const mailbox = random.float() < 0.6 ? username : handleFor(random.below(4), given, surname) + index

    const roll = random.float()
    const status = roll < 0.9 ? 'Active' : roll < 0.98 ? 'Unconfirmed' : 'Banned'
    const age = random.below(THREE_YEARS)
    // Somebody who never confirmed the address has not changed anything either.
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
      // More young people than old ones: the density falls in a straight line to 0 at the oldest.
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

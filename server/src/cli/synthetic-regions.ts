// One module per locale: half the loading time of the package's index, which loads all of them.
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

interface Name {
  text: string
  /** Lower-case ASCII letters, or '' if the name is not in Latin script. */
  handle: string
}

/** A head and a tail, each drawn independently. */
export interface Compound {
  heads: readonly string[]
  separator: string
  tails: readonly string[]
}

/** ISO 3166-1 numeric code, and a pattern of its phone numbers in which each # is a digit. */
type Country = readonly [id: number, phone: string]

interface Region {
  weight: number
  /** The first one gets half of the people and its share of the rest. */
  countries: readonly [Country, ...Country[]]
  first: { female: Name[]; male: Name[] }
  last: { female: Name[]; male: Name[] }
  /** Share of people with two surnames, and the separator between them. */
  doubleSurname: { share: number; separator: string }
  street: Compound
  city: Compound
  address(street: string, number: number, city: string): string
}

/** Letters that Unicode does not decompose. */
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

/** Locale data in the form to store: NFC, trimmed, nothing empty, no templates and no remarks in brackets. */
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

  // North American numbers use area code 555, which is not assigned.
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

export interface Tables {
  /** Each region as often as its weight says. */
  regions: readonly Region[]
  /** Given names and surnames for the handles of people whose own names are not in Latin script. */
  neutral: { first: { female: Name[]; male: Name[] }; last: Name[] }
}

let tables: Tables | undefined

export function loadTables(): Tables {
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

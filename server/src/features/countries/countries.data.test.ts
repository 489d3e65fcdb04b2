import { describe, expect, test } from 'vitest'
import { countries, findCountry } from './countries.data.ts'

const keys = [
  'id',
  'name',
  'full_name',
  'capital',
  'citizenship',
  'country_code',
  'currency',
  'currency_code',
  'currency_sub_unit',
  'currency_symbol',
  'iso_3166_2',
  'iso_3166_3',
  'region_code',
  'sub_region_code',
  'eea',
  'calling_code',
]

describe('countries', () => {
  test('has all 249 countries of ISO 3166-1, each with every key in order', () => {
    expect(countries).toHaveLength(249)
    for (const country of countries) expect(Object.keys(country)).toEqual(keys)
  })

  test('gives each country its own numeric, alpha-2 and alpha-3 code, well formed', () => {
    for (const key of ['id', 'country_code', 'iso_3166_2', 'iso_3166_3', 'name'] as const) {
      expect(new Set(countries.map((country) => country[key])).size).toBe(249)
    }
    for (const country of countries) {
      expect(country.country_code).toBe(country.id)
      expect(country.iso_3166_2).toMatch(/^[A-Z]{2}$/)
      expect(country.iso_3166_3).toMatch(/^[A-Z]{3}$/)
    }
  })

  test('leaves out Kosovo, which has no numeric code', () => {
    expect(countries.find(({ iso_3166_2 }) => iso_3166_2 === 'XK')).toBeUndefined()
  })

  test('is sorted by lower-cased name', () => {
    const names = countries.map(({ name }) => name.toLowerCase())
    expect(names).toEqual([...names].sort())
    expect(countries[0]?.name).toBe('Afghanistan')
  })

  test('has null, never an empty string, where something is not known', () => {
    for (const country of countries) expect(Object.values(country)).not.toContain('')
    expect(findCountry(10)).toMatchObject({ name: 'Antarctica', capital: null, currency: null, calling_code: null })
    expect(findCountry(74)).toMatchObject({ name: 'Bouvet Island', citizenship: null })
  })

  test('puts every country but Antarctica in an M49 region and sub-region', () => {
    const without = countries.filter(({ region_code, sub_region_code }) => !region_code || !sub_region_code)
    expect(without.map(({ name }) => name)).toEqual(['Antarctica'])
    for (const { region_code, sub_region_code } of countries) {
      if (region_code) expect([2, 9, 19, 142, 150]).toContain(region_code)
      if (sub_region_code) expect(sub_region_code).toBeLessThan(1000)
    }
    expect(findCountry(158)).toMatchObject({ name: 'Taiwan', region_code: 142, sub_region_code: 30 })
  })

  test('has the intermediate region as sub-region in Latin America and sub-Saharan Africa', () => {
    expect(findCountry(76)).toMatchObject({ name: 'Brazil', region_code: 19, sub_region_code: 5 })
    expect(findCountry(404)).toMatchObject({ name: 'Kenya', region_code: 2, sub_region_code: 14 })
    expect(findCountry(12)).toMatchObject({ name: 'Algeria', region_code: 2, sub_region_code: 15 })
    for (const { sub_region_code } of countries) expect([202, 419]).not.toContain(sub_region_code)
  })

  test('marks the 30 countries of the European Economic Area', () => {
    expect(countries.filter(({ eea }) => eea)).toHaveLength(30)
    for (const id of [352, 438, 578, 191]) expect(findCountry(id)?.eea).toBe(true)
    for (const id of [826, 756]) expect(findCountry(id)?.eea).toBe(false)
  })

  test('has calling codes of digits, and the shared code alone for a zone with several area codes', () => {
    for (const { calling_code } of countries) if (calling_code) expect(String(calling_code)).toMatch(/^[1-9]\d{0,5}$/)
    const codes = { CA: 1, DO: 1, US: 1, UM: 1, BS: 1242, KZ: 7, RU: 7, EH: 212, SH: 290, VA: 39 }
    for (const [alpha2, code] of Object.entries(codes)) {
      expect(countries.find(({ iso_3166_2 }) => iso_3166_2 === alpha2)?.calling_code).toBe(code)
    }
  })
})

describe('findCountry', () => {
  test('finds a country by its numeric code, with the values known for it', () => {
    expect(findCountry(250)).toEqual({
      id: 250,
      name: 'France',
      full_name: 'French Republic',
      capital: 'Paris',
      citizenship: 'French',
      country_code: 250,
      currency: 'Euro',
      currency_code: 'EUR',
      currency_sub_unit: null,
      currency_symbol: '€',
      iso_3166_2: 'FR',
      iso_3166_3: 'FRA',
      region_code: 150,
      sub_region_code: 155,
      eea: true,
      calling_code: 33,
    })
    expect(findCountry(392)).toMatchObject({
      name: 'Japan',
      capital: 'Tokyo',
      currency_code: 'JPY',
      region_code: 142,
      sub_region_code: 30,
      calling_code: 81,
    })
    expect(findCountry(840)).toMatchObject({
      name: 'United States',
      iso_3166_2: 'US',
      currency_code: 'USD',
      region_code: 19,
      sub_region_code: 21,
      eea: false,
      calling_code: 1,
    })
    expect(findCountry(4)).toMatchObject({
      country_code: 4,
      calling_code: 93,
      region_code: 142,
      sub_region_code: 34,
    })
  })

  test('finds every listed country, and nothing for a number that is no code', () => {
    for (const country of countries) expect(findCountry(country.id)).toBe(country)
    for (const id of [0, -4, 999, 4.5, Number.NaN]) expect(findCountry(id)).toBeUndefined()
  })
})

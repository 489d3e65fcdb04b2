import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type SyntheticUser, syntheticUsers } from './synthetic-users.ts'

const now = new Date('2026-03-14T15:09:26.535Z')
const users = (count: number, randomSeed = 1, start = 0, at = now): SyntheticUser[] => [
  ...syntheticUsers({ count, randomSeed, start, now: at }),
]
const many = users(20_000)

/** Full years from a birthday to a day, both as YYYY-MM-DD. */
function ageOn(day: string, birthday: string): number {
  const years = Number(day.slice(0, 4)) - Number(birthday.slice(0, 4))
  return day.slice(5) < birthday.slice(5) ? years - 1 : years
}

/** From the parts of the text, independent of how Date treats an impossible date. */
function isRealTime(text: string): boolean {
  const date = new Date(`${text.replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 19).replace('T', ' ') === text
}

describe('synthetic users', () => {
  it('are the same for the same seed', () => {
    expect(users(500, 42)).toEqual(users(500, 42))
  })

  it('differ for another seed', () => {
    const other = users(500, 43)
    const same = users(500, 42).filter((user, i) => user.username === other[i]?.username)
    expect(same.length).toBeLessThan(5)
    expect(users(500, 42 + 2 ** 32)).not.toEqual(users(500, 42))
    expect(users(500, -42)).not.toEqual(users(500, 42))
  })

  it('continue from the start index exactly where an earlier run ended', () => {
    expect([...users(300), ...users(200, 1, 300)]).toEqual(users(500))
  })

  it('never repeat an email or a username, even if a later run continues', () => {
    const all = [...users(12_000), ...users(8_000, 1, 12_000)]
    expect(new Set(all.map((user) => user.email.toLowerCase())).size).toBe(20_000)
    expect(new Set(all.map((user) => user.username.toLowerCase())).size).toBe(20_000)
  })

  it('have names in at least ten scripts among the first 5,000', () => {
    const text = many
      .slice(0, 5_000)
      .map((user) => user.first_name + user.last_name)
      .join('')
    const scripts = [
      ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai'],
      ...['Georgian', 'Armenian', 'Devanagari'],
    ]
    const present = scripts.filter((script) => new RegExp(`\\p{Script=${script}}`, 'u').test(text))
    expect(present.length).toBeGreaterThanOrEqual(10)
  })

  it.each([
    '2026-03-14T15:09:26Z',
    '2024-02-29T00:00:00Z',
    '2025-02-28T23:59:59Z',
    '2025-03-01T00:00:00Z',
    '2024-12-31T23:59:59Z',
  ])('have real birthdays that make them 18 to 90 years old on %s', (at) => {
    const ages = new Set<number>()
    for (const { birthday } of users(20_000, 5, 0, new Date(at))) {
      if (birthday === null) continue
      expect(isRealTime(`${birthday} 00:00:00`)).toBe(true)
      ages.add(ageOn(at.slice(0, 10), birthday))
    }
    expect(Math.min(...ages)).toBe(18)
    expect(Math.max(...ages)).toBeGreaterThanOrEqual(88)
    expect(Math.max(...ages)).toBeLessThanOrEqual(90)
  })

  it('have only well-formed, trimmed, non-empty strings of at most 255 code points', () => {
    const texts = many.flatMap((user) => Object.values(user).filter((value) => typeof value === 'string'))
    const isFine = (text: string) =>
      text.isWellFormed() && text === text.trim() && text !== '' && [...text].length <= 255
    expect(texts.length).toBeGreaterThan(20_000 * 7)
    expect(texts.filter((text) => !isFine(text) || text !== text.normalize('NFC'))).toEqual([])
  })

  it('have ASCII email addresses in reserved domains only, with local parts of at most 64 characters', () => {
    for (const { email } of users(5_000, 3, 2 ** 32 - 5_000)) {
      expect(email).toMatch(/^[a-z][a-z._]*\d+@(?:[a-z]+\.)?example\.(?:com|org|net)$/)
      expect(email.indexOf('@')).toBeLessThanOrEqual(64)
    }
  })

  it('have ASCII usernames of 4 to 64 characters', () => {
    for (const { username } of [...many, ...users(5_000, 3, 2 ** 32 - 5_000)]) {
      expect(username).toMatch(/^[a-z][a-z._]{2,}\d+$/)
      expect(username.length).toBeLessThanOrEqual(64)
    }
  })

  it('have usernames from their own name if it is Latin, without its accents', () => {
    const ascii = many.filter((user) => /^\p{Script=Latin}+$/u.test(user.first_name + user.last_name))
    expect(ascii.length).toBeGreaterThan(1_000)
    for (const user of ascii) {
      const last = user.last_name
        .toLowerCase()
        .replace(/[łđøı]/g, (char) => ({ ł: 'l', đ: 'd', ø: 'o', ı: 'i' })[char] ?? '')
        .replaceAll('ß', 'ss')
        .normalize('NFD')
        .replace(/\p{M}/gu, '')
      expect(user.username).toContain(last)
    }
  })

  it('were created in the three years before now, and updated no earlier and not after now', () => {
    const end = '2026-03-14 15:09:26'
    for (const user of many) {
      expect(isRealTime(user.created_at) && isRealTime(user.updated_at)).toBe(true)
      expect(user.created_at >= '2023-03-14 15:09:26' && user.created_at <= user.updated_at).toBe(true)
      expect(user.updated_at <= end).toBe(true)
    }
  })

  it('leave out phone, address, birthday and country, and spread the status, in the stated proportions', () => {
    const share = (test: (user: SyntheticUser) => boolean) => many.filter(test).length / many.length
    const near = (expected: number, test: (user: SyntheticUser) => boolean) =>
      expect(Math.abs(share(test) - expected)).toBeLessThan(0.015)
    near(0.3, (user) => user.phone === null)
    near(0.4, (user) => user.address === null)
    near(0.2, (user) => user.birthday === null)
    near(0.05, (user) => user.country_id === null)
    near(0.9, (user) => user.status === 'Active')
    near(0.08, (user) => user.status === 'Unconfirmed')
    near(0.02, (user) => user.status === 'Banned')
  })

  it('have phone numbers of at most 15 digits with the calling code of their country', () => {
    const file = createRequire(import.meta.url).resolve('world-countries/countries.json')
    const countries: { ccn3: string; idd: { root: string; suffixes: string[] } }[] = JSON.parse(
      readFileSync(file, 'utf8'),
    )
    const callingCodes = new Map(
      countries.map(({ ccn3, idd: { root, suffixes } }) => [
        Number(ccn3),
        suffixes.length === 1 ? `${root}${suffixes[0]}` : root,
      ]),
    )
    const seen = new Set<number>()
    for (const { country_id, phone } of many) {
      if (country_id === null || phone === null) continue
      seen.add(country_id)
      expect(phone).toMatch(/^\+\d[\d ]*\d$/)
      expect(phone.replace(/\D/g, '').length).toBeLessThanOrEqual(15)
      const code = callingCodes.get(country_id)
      expect(code).toBeDefined()
      expect(phone.startsWith(code ?? '-')).toBe(true)
    }
    expect(seen.size).toBeGreaterThanOrEqual(30)
  })

  it.each([
    { count: -1, randomSeed: 1, now },
    { count: 1.5, randomSeed: 1, now },
    { count: 1, randomSeed: Number.NaN, now },
    { count: 1, randomSeed: 1, start: -1, now },
    { count: 2, randomSeed: 1, start: 2 ** 32 - 1, now },
    { count: 1, randomSeed: 1, now: new Date(Number.NaN) },
  ])('are refused for numbers and dates out of range: %o', (options) => {
    expect(() => syntheticUsers(options).next()).toThrow(RangeError)
  })
})

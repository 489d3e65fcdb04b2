import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { invalid, readRow, refusal, write, writes } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const texts = { username: 255, first_name: 255, last_name: 255, phone: 64, address: 1000 }
const textFields = Object.keys(texts) as (keyof typeof texts)[]

type Case = [field: string, value: unknown]
const every = (fields: readonly string[], values: readonly unknown[]): Case[] =>
  fields.flatMap((field) => values.map((value): Case => [field, value]))
const domain = `${'d'.repeat(62)}.${'d'.repeat(62)}.${'d'.repeat(60)}`
const longEmail = (length: number, first: string) => `${first}@${domain}`.padEnd(length, '.ee')

const refused: Case[] = [
  // Values are not converted; only a phone number may be a number.
  ...every(['email', ...textFields, 'birthday'], [-5, true, [], {}, ['text']]),
  ...every(['email', 'username', 'first_name', 'last_name', 'address', 'birthday'], [5]),
  ...every(['role_id', 'country_id'], ['abc', '02', '', true, [], {}, [2], 2.5, -1, 0, 1e300]).filter(
    ([field, value]) => field === 'role_id' || value !== '', // empty text becomes null, which unsets a country
  ),
  ...every(['email', ...textFields, 'birthday'], ['a\0b', 'lone \ud800 surrogate', '\udc00']),
  ...textFields.map((field): Case => [field, 'x'.repeat(texts[field] + 1)]),
  ...textFields.map((field): Case => [field, '😀'.repeat(texts[field] + 1)]),
  ['username', '\u200b\u00ad'],
  ...every(['email'], [null, '', '   ', 'plain', 'a@', '@example.com', 'a@@example.com', 'a@b@example.com']),
  ...every(['email'], ['a b@example.com', 'a,b@example.com', 'a@example.com,b@example.com', 'a;b@example.com']),
  ...every(
    ['email'],
    ['Ada <a@example.com>', '"a"@example.com', 'a..b@example.com', '.a@example.com', 'a.@example.com'],
  ),
  ...every(['email'], ['a@example..com', 'a@-example.com', 'a@example-.com', 'a@[127.0.0.1]', 'a@exam_ple.com']),
  ...every(['email'], ['a@example.com\r\nBcc: b@example.com', 'a\n@example.com', 'a@exa\tmple.com']),
  ...every(['email'], [`${'l'.repeat(65)}@example.com`, longEmail(255, 'l'.repeat(64))]),
  ...every(['role_id'], [null, 99_999, 2 ** 53]),
  ...every(['country_id'], [1, 999, 2 ** 53]),
  ...every(['birthday'], ['2023-02-29', '2026-01-16', '2020-13-01', '2020-00-10', '2020-04-31', '2020-1-5', 'today']),
  ...every(['birthday'], ['15.01.2020', '2020-01-05 00:00:00', '2020-01-05T00:00:00Z', '20200105', '-2020-01-05']),
]

type Kept = [...Case, stored: unknown]
const accepted: Kept[] = [
  ...textFields.map((field): Kept => [field, 'x'.repeat(texts[field]), 'x'.repeat(texts[field])]),
  ...textFields.map((field): Kept => [field, `\t ${field} \u00a0\n`, field]),
  ...textFields.slice(1).map((field): Kept => [field, '😀'.repeat(texts[field]), '😀'.repeat(texts[field])]),
  ...every([...textFields, 'birthday', 'country_id'], [null, '', ' \n\t ']).map((given): Kept => [...given, null]),
  ['first_name', 'é ＡＢ ß \u202e', 'é ＡＢ ß \u202e'],
  ['address', "<b>'; drop table users; --", "<b>'; drop table users; --"],
  ['email', ' Trimmed@Example.com\r\n', 'Trimmed@Example.com'],
  ['email', "o'hara+tag!#$%&*/=?^_`{|}~-@sub.example.co", "o'hara+tag!#$%&*/=?^_`{|}~-@sub.example.co"],
  ['email', 'δοκιμή@παράδειγμα.gr', 'δοκιμή@παράδειγμα.gr'],
  ['email', longEmail(254, 'm'.repeat(64)), longEmail(254, 'm'.repeat(64))],
  ['birthday', '2024-02-29', '2024-02-29'],
  ['birthday', '2026-01-15', '2026-01-15'],
  ['birthday', ' 1899-12-31 ', '1899-12-31'],
  ['country_id', 826, 826],
  ['country_id', '826', 826],
  ['phone', 442079460958, '442079460958'],
  ['role_id', 1, 1],
]

const show = (value: unknown) => (JSON.stringify(value) ?? 'undefined').slice(0, 60)

describe.each(writes)('%s', (method) => {
  it.each(refused.map(([field, value]) => [field, show(value), value] as const))(
    'refuses %s %s with 422 at that field alone',
    async (field, _, value) => {
      expect(refusal(await write(t, method, { [field]: value }))).toEqual(invalid(field))
    },
  )

  it.each(accepted.map(([field, value, stored]) => [field, show(value), value, stored] as const))(
    'takes %s %s',
    async (field, _, value, stored) => {
      const { status, body } = await write(t, method, { [field]: value })
      expect([status, body.errors]).toEqual([method === 'POST' ? 201 : 200, undefined])
      expect(body.data[field]).toBe(stored)
      expect(await readRow(t, body.data.id)).toMatchObject({ [field]: stored })
      await t.call(`DELETE /users/${body.data.id}`) // the next method uses the same name
    },
  )
})

describe.each(['PATCH', 'PUT'] as const)('%s of the status', (method) => {
  it.each([null, '', 'active', 'Deleted', 'Active ,Banned', 1, true, [], ['Active'], {}])(
    'refuses %j',
    async (status) => {
      expect(refusal(await write(t, method, { status }))).toEqual(invalid('status'))
    },
  )

  it.each(['Active', 'Unconfirmed', 'Banned'])('takes %s', async (status) => {
    expect((await write(t, method, { status })).body.data.status).toBe(status)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { isStorable } from '../../core/text.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { oddText } from '../../testing/arbitrary.ts'
import type { UserRow } from '../accounts/users.table.ts'

/* SQLite writes users as JSON; where something is included, JavaScript does. Both must be the same, letter by letter. */

let t: TestApp
const texts = new Map<number, string>()
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: "http://gatehouse.test/o'b" })
  const text = fc.option(oddText.filter((value) => value !== '' && isStorable(value)))
  const user = fc.record({
    first_name: text,
    last_name: text,
    phone: text,
    address: text,
    country_id: fc.constantFrom(null, 826),
    birthday: fc.constantFrom(null, '1815-12-10'),
    avatar: fc.constantFrom(null, '0123456789abcdef'.repeat(4), 'https://pictures.test/o\'b?"q"=ä'),
    last_login: fc.constantFrom(null, '2025-12-31 23:59:59'),
    two_factor_country_code: fc.constantFrom(null, 44),
    two_factor_phone: fc.constantFrom(null, '2079460958'),
    two_factor_options: fc.constantFrom(null, '{"enabled":true,"channel":"sms"}'),
  })
  for (const fields of fc.sample(user, { numRuns: 60, seed: 20_261_129 })) {
    const { id } = (await t.createUser(fields)).user
    texts.set(id, await textOf(`/users/${id}`))
  }
  texts.set((await t.call('GET /me')).body.data.id, await textOf('/me'))
})
afterAll(() => t.close())

const start = '{"data":'

/** A user as JavaScript writes one. */
async function textOf(path: string): Promise<string> {
  const { text } = await t.call(`GET ${path}?include=country`)
  return `${text.slice(start.length, text.lastIndexOf(',"country":'))}}`
}

it('one user is the same', async () => {
  for (const [id, text] of texts) {
    const one = await t.call(`GET /users/${id}`)
    expect([one.headers['content-type'], one.text]).toEqual(['application/json; charset=utf-8', `${start}${text}}`])
    expect(Number(one.headers['content-length'])).toBe(Buffer.byteLength(one.text))
  }
  const { text, body } = await t.call('GET /me')
  expect(text).toBe(`${start}${texts.get(body.data.id)}}`)
  expect((await t.call('GET /users/99999')).status).toBe(404)
})

/** The path of a link of a list. */
const pathOf = (link: string): string => link.slice("http://gatehouse.test/o'b/api".length)

async function checkPage(path: string): Promise<{ ids: number[]; next: string | null; prev: string | null }> {
  const { status, text, headers, body } = await t.call(`GET ${path}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(text))
  const ids = body.data.map(({ id }: UserRow) => id)
  const items = ids.map((id: number) => texts.get(id))
  expect(text).toBe(`${start}[${items.join(',')}],${JSON.stringify({ links: body.links, meta: body.meta }).slice(1)}`)
  expect(Object.keys(body.meta).slice(0, 7)).toEqual([
    ...['current_page', 'from', 'last_page', 'path', 'per_page', 'to', 'total'],
  ])
  const { next, prev } = body.links
  return { ids, next: next && pathOf(next), prev: prev && pathOf(prev) }
}

it.each([
  '',
  'sort=-id&',
  'sort=first_name&',
  'sort=-last_login&',
  'sort=status,-created_at&',
  'filter[status]=Active&',
])('a page of users is what each of them is alone: %s', async (query) => {
  const all = await checkPage(`/users?${query}per_page=100`)
  expect(all.ids.toSorted((a, b) => a - b)).toEqual([...texts.keys()].toSorted((a, b) => a - b))
  const walked: number[] = []
  for (let path: string | null = `/users?${query}per_page=7`; path !== null; ) {
    const { ids, next } = await checkPage(path)
    walked.push(...ids)
    path = next
  }
  expect(walked).toEqual(all.ids)
})

it('so is a page behind and before a cursor, and one that is empty', async () => {
  const { meta } = (await t.call('GET /users?sort=-first_name&per_page=7&page=2')).body
  const second = await checkPage(`/users?sort=-first_name&per_page=7&page=3`)
  const next = await checkPage(`/users?sort=-first_name&per_page=7&cursor=${meta.next_cursor}`)
  expect(next.ids).toEqual(second.ids)
  const first = await checkPage('/users?sort=-first_name&per_page=7&page=1')
  const before = await checkPage(`/users?sort=-first_name&per_page=7&cursor=${meta.prev_cursor}`)
  expect(before.ids).toEqual(first.ids)
  expect((await checkPage('/users?page=99')).ids).toEqual([])
  expect((await checkPage('/users?filter[search]=nobody-has-this')).ids).toEqual([])
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'

/** First names in the order of their case-folded code points; those on one line are equal. */
const order: (string | null)[][] = [
  [null],
  ['!'],
  ['10'],
  ['9'],
  ['_a'],
  ['adam', 'Adam', 'ADAM'],
  ['Adam Z'],
  ['adam-z'],
  ['STRASSE', 'Straße', 'strasse'],
  ['Zoe'],
  ['zoë', 'ZOË'],
  ['Émile', 'émile'],
  ['ΣΊΣΥΦΟΣ', 'Σίσυφος', 'σίσυφοσ'],
  ['Яна', 'яна'],
  ['Ꭰ', 'ꭰ'],
  ['李'],
  ['～'], // U+FF5E, which UTF-16 sorts after the next
  ['😀'], // U+1F600
]
const shuffled = order.flat().map((_, index, all) => all[(index * 11 + 5) % all.length] as string | null)

let t: TestApp
let people: { id: number; first_name: string | null; last_name: string | null; email: string }[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  for (const [index, first_name] of [...shuffled, ...shuffled].entries()) {
    const created_at = `2026-01-0${(index % 3) + 1} 00:00:00`
    const last_name = index % 4 === 0 ? null : ['B', 'a', 'b'][index % 3]
    const email = `${index % 2 === 0 ? 'User' : 'user'}.${(index * 37) % 100}@example.com`
    await t.createUser({ first_name, last_name: last_name ?? null, email, created_at, updated_at: created_at })
  }
  people = (await sorted('')).filter((person) => person.id !== 1)
})
afterAll(() => t.close())

const sorted = async (sort: string): Promise<typeof people> =>
  (await t.call(`GET /users?per_page=100&sort=${sort}`)).body.data
const idsOf = (users: typeof people) => users.map((user) => user.id)
const rankOf = (name: string | null) => order.findIndex((equal) => equal.includes(name))

describe('sorting', () => {
  it('covers every name of the table', () => {
    expect(new Set(people.map((person) => person.first_name))).toEqual(new Set(order.flat()))
    expect(people.every((person) => rankOf(person.first_name) >= 0)).toBe(true)
  })

  it('is by id by default', async () => {
    const ids = idsOf(await sorted(''))
    expect(ids).toEqual([...ids].sort((a, b) => a - b))
    for (const query of ['id', ',', '%20', 'id,id', 'id,-first_name']) expect(idsOf(await sorted(query))).toEqual(ids)
    expect(idsOf(await sorted('-id'))).toEqual([...ids].reverse())
  })

  it('of text is by case-folded code point, null first, equal ones by ascending id', async () => {
    const expected = [...people].sort((a, b) => rankOf(a.first_name) - rankOf(b.first_name) || a.id - b.id)
    const found = (await sorted('first_name')).filter((user) => user.id !== 1)
    expect(found.map((user) => user.first_name)).toEqual(expected.map((user) => user.first_name))
    expect(idsOf(found)).toEqual(idsOf(expected))
  })

  it('with a minus is the other way round, null last, equal ones by ascending id still', async () => {
    const expected = [...people].sort((a, b) => rankOf(b.first_name) - rankOf(a.first_name) || a.id - b.id)
    expect(idsOf((await sorted('-first_name')).filter((user) => user.id !== 1))).toEqual(idsOf(expected))
  })

  it('accepts several terms, each with its own direction', async () => {
    const last = ({ last_name }: (typeof people)[0]) => last_name?.toLowerCase() ?? ''
    const expected = [...people].sort(
      (a, b) =>
        (last(a) < last(b) ? 1 : last(a) > last(b) ? -1 : 0) ||
        rankOf(a.first_name) - rankOf(b.first_name) ||
        b.id - a.id,
    )
    const found = await sorted('-last_name,first_name,-id')
    expect(idsOf(found.filter((user) => user.id !== 1))).toEqual(idsOf(expected))
  })

  it('uses the first of a repeated name, and repeated parameters in their order', async () => {
    const expected = idsOf(await sorted('-last_name,first_name'))
    for (const query of [
      '-last_name,first_name,last_name',
      '-last_name&sort=first_name',
      ' -last_name , first_name ,',
    ]) {
      expect(idsOf(await sorted(query.replaceAll(' ', '%20')))).toEqual(expected)
    }
  })

  it('of email addresses ignores case', async () => {
    const expected = people.map((user) => user.email.toLowerCase()).sort()
    const emails = (await sorted('email')).filter((user) => user.id !== 1).map((user) => user.email.toLowerCase())
    expect(emails).toEqual(expected)
  })

  it.each(['created_at', 'updated_at'])('of moments is by time, equal ones by ascending id: %s', async (name) => {
    for (const [sort, sign] of [
      [name, 1],
      [`-${name}`, -1],
    ] as const) {
      const users = (await t.call(`GET /users?per_page=100&sort=${sort}`)).body.data
      const expected = [...users].sort(
        (a, b) => sign * (Date.parse(`${a[name]}Z`) - Date.parse(`${b[name]}Z`)) || a.id - b.id,
      )
      expect(idsOf(users)).toEqual(idsOf(expected))
      expect(new Set(users.map((user: Record<string, string>) => user[name])).size).toBe(4)
    }
  })

  it('reflects a change of the name at once', async () => {
    const id = (await t.createUser({ first_name: 'zzz' })).user.id
    await t.call(`PATCH /users/${id}`, { body: { first_name: '!!' } })
    const names = (await sorted('first_name')).map((user) => user.first_name)
    expect(names.indexOf('!!')).toBe(names.lastIndexOf('!') + 1)
    await t.call(`PATCH /users/${id}`, { body: { first_name: null } })
    expect(idsOf(await sorted('-first_name')).at(-1)).toBe(id)
    await t.call(`DELETE /users/${id}`)
  })
})

describe('the default order of a list', () => {
  it.each([
    ['/roles', 1],
    ['/permissions', 1],
    ['/api-keys', 1],
    ['/activity', -1],
    ['/users/1/activity', -1],
  ])('is by id: %s (%i)', async (path, sign) => {
    await t.createRole(`Another ${path}`, [])
    const ids: number[] = (await t.call(`GET ${path}?per_page=100`)).body.data.map((item: { id: number }) => item.id)
    expect(ids.length).toBeGreaterThan(1)
    expect(ids).toEqual([...ids].sort((a, b) => sign * (a - b)))
  })
})

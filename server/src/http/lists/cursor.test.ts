import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { userList } from '../../features/users/users.list.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { encodeCursor, type Position } from './cursor.ts'
import { parseListRequest } from './request.ts'

interface User {
  readonly id: number
  readonly first_name: string | null
  readonly last_name: string | null
  readonly email: string
  readonly created_at: string
  readonly updated_at: string
}
const names = [null, 'a', 'A', 'b', 'ß', 'ss', '～', '😀', null]
const time = (index: number) => `2026-01-0${1 + (index % 3)} 00:00:00`

let t: TestApp
let users: User[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  for (let made = 0; made < 40; made++) {
    await t.createUser({
      first_name: names[(made * 5) % 9] ?? null,
      last_name: names[(made * 7) % 4] ?? null,
      email: `${'xyz'[made % 3]}${made}@example.com`,
      status: made % 4 === 0 ? 'Banned' : 'Active',
      created_at: time(made),
      updated_at: time(made * 2),
    })
  }
  users = (await list('per_page=100')).data
})
afterAll(() => t.close())

const list = async (query: string) => (await t.call(`GET /users?${query}`)).body

/** Walks from the first page to the end, or from a cursor back to the beginning, and returns the pages in order. */
async function walk(
  query: string,
  direction: 'next' | 'prev',
  from = '',
  between = async (_page: User[]) => {},
): Promise<User[][]> {
  const pages: User[][] = []
  for (let cursor: string | null = from; cursor !== null; ) {
    const { data, meta } = await list(`${query}&cursor=${encodeURIComponent(cursor)}`)
    pages.push(data)
    cursor = meta[`${direction}_cursor`]
    if (pages.length > 200) throw new Error('the walk does not end')
    await between(data)
  }
  return pages
}

/** The order as documented, computed from plain values. */
const sortKey = (user: User, name: keyof User): (string | number)[] => {
  const value = user[name]
  if (typeof value === 'number') return [value]
  return [...(value ?? '').replace('ß', 'ss').toLowerCase()].map((character) => character.codePointAt(0) ?? 0)
}
function compareKeys(a: (string | number)[], b: (string | number)[]): number {
  const index = a.findIndex((value, at) => value !== b[at])
  if (index < 0) return a.length - b.length
  const [one, other] = [a[index], b[index]]
  return other === undefined || Number(one) > Number(other) ? 1 : -1
}
const compareBy = (sort: string[]) => (a: User, b: User) => {
  for (const term of [...sort, 'id']) {
    const name = term.replace('-', '') as keyof User
    const order = compareKeys(sortKey(a, name), sortKey(b, name))
    if (order !== 0) return term.startsWith('-') ? -order : order
  }
  return 0
}
const idsOf = (pages: User[][]) => pages.flat().map((user) => user.id)

async function expectWalks(
  sort: string[],
  perPage: number,
  filter = '',
  kept: (user: User) => boolean = () => true,
): Promise<void> {
  const query = `sort=${sort.join(',')}&per_page=${perPage}${filter}`
  const expected = users
    .filter(kept)
    .sort(compareBy(sort))
    .map((user) => user.id)
  const pages = await walk(query, 'next')
  expect(idsOf(pages)).toEqual(expected)
  expect(pages.length).toBe(Math.ceil(expected.length / perPage))
  const [last] = (await list(`${query}&page=${pages.length}`)).data
  const { meta } = await list(`${query}&page=${pages.length}`)
  const back = meta.prev_cursor === null ? [] : await walk(query, 'prev', meta.prev_cursor)
  expect([...idsOf(back.reverse()), ...expected.slice(expected.indexOf(last.id))]).toEqual(expected)
}

const sortNames = ['id', 'first_name', 'last_name', 'email', 'created_at', 'updated_at'] as const

describe('walking a list by cursor', () => {
  it.each(sortNames.flatMap((name) => [[name], [`-${name}`]]))(
    'returns every row once, forwards and backwards: %s',
    async (sort) => {
      for (const perPage of [1, 7, 40, 41, 100]) await expectWalks([sort], perPage)
    },
  )

  it.each([
    ['-first_name,last_name'],
    ['last_name,-first_name'],
    ['created_at,-updated_at,first_name'],
    ['-last_name,-created_at,-id'],
  ])('returns every row once, forwards and backwards: %s', async (sort) => {
    for (const perPage of [1, 6]) await expectWalks(sort.split(','), perPage)
  })

  it('does so for any sort, page size and filter', async () => {
    const term = fc.tuple(fc.constantFrom(...sortNames), fc.constantFrom('', '-')).map(([name, minus]) => minus + name)
    const terms = fc.uniqueArray(term, { selector: (each) => each.replace('-', ''), maxLength: 4 })
    const filters = fc.constantFrom<[string, (user: User) => boolean]>(
      ['', () => true],
      ['&filter[search]=y', ({ email }) => email.includes('y')],
    )
    await fc.assert(
      fc.asyncProperty(terms, fc.integer({ min: 3, max: 50 }), filters, async (sort, perPage, [filter, kept]) =>
        expectWalks(sort, perPage, filter, kept),
      ),
      { numRuns: 25 },
    )
  })

  it('goes both ways from every page, numbered or not, and knows where the ends are', async () => {
    const query = 'sort=first_name&per_page=10'
    const pages = await walk(query, 'next')
    for (const [index, page] of pages.entries()) {
      const { data, meta } = await list(`${query}&page=${index + 1}`)
      expect(idsOf([data])).toEqual(idsOf([page]))
      expect([meta.prev_cursor === null, meta.next_cursor === null]).toEqual([index === 0, index === pages.length - 1])
      if (meta.next_cursor === null) continue
      const next = await list(`${query}&cursor=${meta.next_cursor}`)
      expect(idsOf([next.data])).toEqual(idsOf([pages[index + 1] ?? []]))
      const back = await list(`${query}&cursor=${next.meta.prev_cursor}`)
      expect(idsOf([back.data])).toEqual(idsOf([page]))
    }
  })

  it('shows a true total and no page numbers', async () => {
    const { meta } = await list('per_page=10&filter[status]=Banned')
    const under = await list(
      `per_page=10&filter[status]=Banned&page=7&cursor=${encodeURIComponent(meta.prev_cursor ?? '')}`,
    )
    expect(under.meta).toMatchObject({ total: 10, current_page: 7 }) // an empty cursor counts as none
    const first = await list('per_page=10')
    expect((await list(`per_page=10&page=7&cursor=${first.meta.next_cursor}`)).meta).toMatchObject({
      total: 41,
      current_page: null,
      last_page: null,
      from: null,
      to: null,
      per_page: 10,
    })
  })
})

describe('a list that changes while it is walked', () => {
  it.each(['id', '-id', 'first_name', '-created_at,first_name'])(
    'returns unchanged rows exactly once, in order: %s',
    async (sort) => {
      const mine: number[] = []
      const gone = new Set<number>()
      const add = async (made: number) =>
        mine.push(
          (await t.createUser({ first_name: names[made % 9] ?? null, created_at: time(made), updated_at: time(made) }))
            .user.id,
        )
      for (let made = 0; made < 12; made++) await add(made)
      const remove = async (id: number) => {
        gone.add(id)
        expect((await t.call(`DELETE /users/${id}`)).status).toBe(200)
      }
      let step = 0
      const pages = await walk(`sort=${sort}&per_page=4`, 'next', '', async (page) => {
        step++
        if (step < 15) await add(step * 4)
        // The very row that the cursor points to, if it may be deleted; and any other one.
        const last = page.at(-1)
        if (last !== undefined && mine.includes(last.id)) await remove(last.id)
        const other = mine.find((id) => !gone.has(id))
        if (step % 3 === 0 && other !== undefined) await remove(other)
      })
      const walked = pages.flat()
      expect(new Set(idsOf(pages)).size).toBe(walked.length)
      expect(idsOf(pages)).toEqual([...walked].sort(compareBy(sort.split(','))).map((user) => user.id))
      for (const { id } of users) expect(idsOf(pages)).toContain(id)
      expect(gone.size).toBeGreaterThan(1)
      for (const id of mine) if (!gone.has(id)) await t.call(`DELETE /users/${id}`)
    },
  )
})

describe('a cursor that is not ours', () => {
  const refused = async (path: string, cursor: string) => {
    const { status, body } = await t.call(
      `GET ${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`,
    )
    expect({ path, cursor, status, code: body.code }).toEqual({ path, cursor, status: 400, code: 'invalid_cursor' })
  }
  const cursorOf = async (path: string): Promise<string> => (await t.call(`GET ${path}`)).body.meta.next_cursor

  it('is 400 when it belongs to another sort, filter or list', async () => {
    const cursor = await cursorOf('/users?per_page=2&sort=first_name&filter[status]=Active')
    for (const query of [
      ...['', 'sort=first_name', 'filter[status]=Active', 'sort=-first_name&filter[status]=Active'],
      ...['sort=last_name&filter[status]=Active', 'sort=first_name,-id&filter[status]=Active'],
      ...['sort=first_name&filter[status]=Banned', 'sort=first_name&filter[status]=Active,Banned'],
      'sort=first_name&filter[status]=Active&filter[role_id]=2',
    ]) {
      await refused(`/users?${query}`, cursor)
    }
    await t.createRole('Walked', [])
    await refused('/permissions', await cursorOf('/roles?per_page=1'))
    await refused('/users/1/activity', await cursorOf('/activity?per_page=1'))
    await refused('/activity', await cursorOf('/users/1/activity?per_page=1'))
    await refused('/users/2/activity', await cursorOf('/users/1/activity?per_page=1'))
  })

  it('is still valid if only the page size, the includes or the spelling differ', async () => {
    const cursor = await cursorOf('/users?per_page=2&sort=first_name&filter[status]=Active')
    for (const query of ['per_page=50&include=role', 'page=9', 'x=y']) {
      const { status } = await t.call(
        `GET /users?sort=first_name,id&filter[status]=%20ACTIVE&${query}&cursor=${cursor}`,
      )
      expect(status).toBe(200)
    }
  })

  it('is 400 when anything in it was changed', async () => {
    const cursor = await cursorOf('/users?per_page=2&sort=email')
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      await refused('/users?sort=email', cursor.slice(0, at) + other + cursor.slice(at + 1))
    }
    for (const text of [
      cursor.slice(1),
      cursor.slice(0, -1),
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}.`,
      cursor.toUpperCase(),
    ])
      await refused('/users?sort=email', text)
  })

  it.each([
    'x',
    '0',
    '.',
    '..',
    'null',
    '{}',
    '[]',
    ' ',
    "' or 1=1",
    '\0',
    'é',
    'WyJmb3J3YXJkIiwxXQ',
    'WyJmb3J3YXJkIiwxXQ.',
    'a'.repeat(5000),
  ])('is 400 when it is garbage: %j', (text) => refused('/users', text))

  it('is 400 if it was forged with values that the sort cannot have', async () => {
    const forged = (sort: string, position: object): Promise<void> => {
      const request = parseListRequest(userList, new URLSearchParams({ sort }), '/api/users')
      return refused(`/users?sort=${sort}`, encodeCursor(request, position as Position))
    }
    const direction = 'forward'
    for (const values of [[], [1, 2], ['1'], [1.5], [2 ** 60], [null], [{}], [[1]], [true]])
      await forged('id', { direction, values })
    for (const values of [['a'], [1, 1], [null, 1], ['a\0', 1], ['a\ud800', 1], ['a', 1, 1]])
      await forged('email', { direction, values })
    for (const other of ['sideways', null, 1, '']) await forged('id', { direction: other, values: [1] })
  })
})

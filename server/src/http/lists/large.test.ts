import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { syntheticUsers } from '../../cli/synthetic-users.ts'
import { systemActor } from '../../core/context.ts'
import { insertUser } from '../../features/accounts/users.queries.ts'
import { searchTextOf } from '../../features/accounts/users.search.ts'
import type { UserRow } from '../../features/accounts/users.table.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

/** Large enough for every plan: searches with few and many matches, walks that reach their end and walks that do not. */
const userCount = 2_500

let t: TestApp
let users: UserRow[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.createRole('Editor', [])
  await t.ctx.transaction(systemActor, async (tx) => {
    const now = new Date('2026-03-14T15:09:26Z')
    let made = 0
    for (const user of syntheticUsers({ count: userCount, randomSeed: 3, now })) {
      made++
      const first_name = made % 3 === 0 ? null : made % 3 === 1 ? `Walter ${made % 7}` : user.first_name
      const created_at = made % 4 === 0 ? '2026-01-01 00:00:00' : user.created_at
      await insertUser(tx.db, {
        ...user,
        first_name,
        created_at,
        last_login: made % 3 === 0 ? null : `2026-02-${String((made % 20) + 1).padStart(2, '0')} 08:00:00`,
        username: made % 10 === 0 ? null : user.username,
        password_hash: 'none',
        role_id: made % 50 === 0 ? 3 : 2,
      })
    }
  })
  users = await t.ctx.unguarded.selectFrom('users').selectAll().execute()
})
afterAll(() => t.close())

type Column =
  | 'id'
  | 'first_name_key'
  | 'last_name_key'
  | 'email_canonical'
  | 'created_at'
  | 'updated_at'
  | 'last_login'
  | 'status'
  | 'username_canonical'
const columnOf: Record<string, Column> = {
  id: 'id',
  first_name: 'first_name_key',
  last_name: 'last_name_key',
  email: 'email_canonical',
  created_at: 'created_at',
  updated_at: 'updated_at',
  last_login: 'last_login',
  status: 'status',
  username: 'username_canonical',
}
const sorts = Object.keys(columnOf).flatMap((name) => [name, `-${name}`])

/** By code point, as UTF-8 sorts byte by byte. */
const compare = (a: string | number, b: string | number): number =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))

type Times = 'all' | 'never' | 'on a day' | 'between' | 'made since'

/** Every filter by time, as parameters and as a function. */
const timesOf: Record<Times, { query: Record<string, string>; matches: (user: UserRow) => boolean }> = {
  all: { query: {}, matches: () => true },
  never: { query: { 'filter[last_login]': 'never' }, matches: ({ last_login }) => last_login === null },
  'on a day': {
    query: { 'filter[last_login]': '2026-02-07' },
    matches: ({ last_login }) => last_login?.startsWith('2026-02-07') === true,
  },
  between: {
    query: { 'filter[last_login_from]': '2026-02-04', 'filter[last_login_to]': '2026-02-09 07:59:59' },
    matches: ({ last_login }) => last_login !== null && last_login > '2026-02-04' && last_login < '2026-02-09 07:59:59',
  },
  'made since': {
    query: { 'filter[created_from]': '2026-01-01', 'filter[created_to]': '2026-01-31' },
    matches: ({ created_at }) => created_at >= '2026-01-01' && created_at < '2026-02-01',
  },
}

interface Asked {
  sort: string[]
  status: string | null
  role: number | null
  country: number | null
  times: Times
  search: string[]
}

/** The expected result, from all users in memory. */
function expected({ sort, status, role, country, times, search }: Asked): number[] {
  const matches = (user: UserRow) =>
    (status === null || user.status === status) &&
    (role === null || user.role_id === role) &&
    (country === null || user.country_id === country) &&
    timesOf[times].matches(user) &&
    (search.length === 0 || search.some((term) => searchTextOf(user).includes(term)))
  const order = (a: UserRow, b: UserRow): number => {
    for (const term of [...sort, 'id']) {
      const column = columnOf[term.replace('-', '')] as Column
      const difference = compare(a[column] ?? '', b[column] ?? '')
      if (difference !== 0) return term.startsWith('-') ? -difference : difference
    }
    return 0
  }
  return users
    .filter(matches)
    .sort(order)
    .map(({ id }) => id)
}

function queryOf({ sort, status, role, country, times, search }: Asked): string {
  const query = new URLSearchParams({ sort: sort.join(','), per_page: '20', ...timesOf[times].query })
  if (status !== null) query.set('filter[status]', status)
  if (role !== null) query.set('filter[role_id]', String(role))
  if (country !== null) query.set('filter[country_id]', String(country))
  for (const term of search) query.append('filter[search]', term)
  return query.toString()
}

const sometimes = <T>(...values: T[]) => fc.option(fc.constantFrom(...values), { freq: 2 })
const asked = fc.record({
  sort: fc.uniqueArray(fc.constantFrom(...sorts), {
    minLength: 1,
    maxLength: 2,
    selector: (term) => term.replace('-', ''),
  }),
  status: sometimes('Active', 'Banned', 'Unconfirmed'),
  role: sometimes(2, 3, 1),
  country: sometimes(840, 276, 1),
  times: fc.oneof(
    { arbitrary: fc.constant<Times>('all'), weight: 3 },
    { arbitrary: fc.constantFrom(...(Object.keys(timesOf) as Times[])), weight: 2 },
  ),
  search: fc.array(
    fc.constantFrom(
      'example',
      'walter',
      'mail.',
      'a',
      'an',
      'ma',
      '.c',
      'zq',
      'mar',
      'er 3',
      '*',
      '?',
      '[',
      'walter 1',
    ),
    {
      maxLength: 2,
    },
  ),
})

/** Its matches are at one end of the sort. */
const clustered: Asked = {
  sort: ['first_name'],
  status: null,
  role: null,
  country: null,
  times: 'all',
  search: ['walter'],
}

it('returns the same pages and totals as all users sorted and filtered in memory, for any page', async () => {
  const place = fc.double({ min: 0, max: 1.02, noNaN: true })
  await fc.assert(
    fc.asyncProperty(asked, place, async (what, where) => {
      const ids = expected(what)
      const last = Math.max(1, Math.ceil(ids.length / 20))
      const page = 1 + Math.floor(where * last)
      const { body } = await t.call(`GET /users?${queryOf(what)}&page=${page}`)
      expect({ ids: body.data.map(({ id }: UserRow) => id), total: body.meta.total }).toEqual({
        ids: ids.slice((page - 1) * 20, page * 20),
        total: ids.length,
      })
      // From there on and back again.
      for (const [cursor, first] of [
        [body.meta.next_cursor, page * 20],
        [body.meta.prev_cursor, (page - 2) * 20],
      ]) {
        if (cursor === null) continue
        const beside = await t.call(`GET /users?${queryOf(what)}&cursor=${cursor}`)
        expect(beside.body.data.map(({ id }: UserRow) => id)).toEqual(ids.slice(first, first + 20))
      }
    }),
    {
      numRuns: 400,
      seed: 20_261_121,
      examples: [
        [clustered, 0],
        [clustered, 0.9],
        [{ ...clustered, sort: ['-first_name'] }, 1],
      ],
    },
  )
})

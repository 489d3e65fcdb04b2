import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { UserRow } from '../accounts/users.table.ts'

let t: TestApp
let ada: UserRow
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const editors = await t.createRole('Editors', ['users.manage'])
  const make = async (username: string, more: object) =>
    (await t.createUser({ username, email: `${username}@example.com`, ...more })).user
  ada = await make('ada', { first_name: 'ada', last_name: 'Éclair', country_id: 826, role_id: editors })
  await make('bob', { first_name: 'Bob', last_name: 'zulu', country_id: 276, status: 'Banned' })
  t.clock.advance({ days: 1 })
  await make('cyd', { first_name: 'Čeněk', last_name: 'Adams', country_id: 826, status: 'Unconfirmed' })
  await make('dan', { last_name: 'adams', status: 'Banned', role_id: editors })
})
afterAll(() => t.close())

/** The usernames of a list in its order, and its total. */
async function list(query: string): Promise<[names: string[], total: number]> {
  const { body } = await t.call(`GET /users?${query}`)
  return [body.data.map((user: UserRow) => user.username), body.meta.total]
}

describe('reading one user', () => {
  // asvs: 15.3.1
  it('answers with every field of the interface and no other', async () => {
    const { status, body } = await t.call(`GET /users/${ada.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        id: ada.id,
        username: 'ada',
        email: 'ada@example.com',
        first_name: 'ada',
        last_name: 'Éclair',
        phone: null,
        address: null,
        country_id: 826,
        birthday: null,
        role_id: ada.role_id,
        status: 'Active',
        avatar: 'http://gatehouse.test/avatars/default.svg',
        last_login: null,
        two_factor_country_code: null,
        two_factor_phone: null,
        two_factor_options: null,
        created_at: '2026-01-15 12:00:00',
        updated_at: '2026-01-15 12:00:00',
      },
    })
  })

  it.each(['include=role,country', 'include=country&include=role', 'include=%20role%20,country,role'])(
    'adds the role and the country for %s',
    async (query) => {
      const { role, country } = (await t.call(`GET /users/${ada.id}?${query}`)).body.data
      expect(role).toEqual({
        id: ada.role_id,
        name: 'Editors',
        display_name: null,
        description: null,
        two_factor: 'optional',
        removable: true,
        users_count: 2,
        created_at: '2026-01-15 12:00:00',
        updated_at: '2026-01-15 12:00:00',
      })
      expect(country).toMatchObject({ id: 826, iso_3166_2: 'GB', iso_3166_3: 'GBR', country_code: 826 })
      expect(Object.keys(country).sort()).toEqual(
        [
          ...['id', 'name', 'full_name', 'capital', 'citizenship', 'country_code', 'currency', 'currency_code'],
          ...['currency_sub_unit', 'currency_symbol', 'iso_3166_2', 'iso_3166_3', 'region_code', 'sub_region_code'],
          ...['eea', 'calling_code', 'flag'],
        ].sort(),
      )
    },
  )

  it('includes null for a country that is not set', async () => {
    const { data } = (await t.call('GET /users/1?include=country')).body
    expect([data.country_id, data.country]).toEqual([null, null])
  })

  it.each(['/users/1', '/users'])(
    'refuses an unknown include on %s with 400, naming those that exist',
    async (path) => {
      for (const include of ['roles', 'Role', 'password_hash', '__proto__', 'constructor', 'role,activity']) {
        const { status, body } = await t.call(`GET ${path}?include=${include}`)
        expect([status, body.code]).toEqual([400, 'unknown_include'])
        expect(body.message).toMatch(/role, country/)
      }
    },
  )

  it.each(['/users/1', '/users'])('answers HEAD on %s as GET, without the body', async (path) => {
    const [head, get] = [await t.call(`HEAD ${path}`), await t.call(`GET ${path}`)]
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
  })
})

describe('the list of users', () => {
  it('contains every user by id, each as in its own answer', async () => {
    expect(await list('')).toEqual([['admin', 'ada', 'bob', 'cyd', 'dan'], 5])
    const { body } = await t.call('GET /users?include=role,country')
    for (const user of body.data) {
      expect((await t.call(`GET /users/${user.id}?include=role,country`)).body.data).toEqual(user)
    }
  })

  it.each([
    ['filter[status]=Banned', ['bob', 'dan']],
    ['filter[status]=bANNED', ['bob', 'dan']],
    ['filter[status]=Banned&filter[status]=Unconfirmed', ['bob', 'cyd', 'dan']],
    ['filter[status]=Banned,Unconfirmed', ['bob', 'cyd', 'dan']],
    ['filter[status]=Ban', []],
    ['filter[email]=ADA@example.com', ['ada']],
    ['filter[email]=ada@example', []],
    ['filter[country_id]=826', ['ada', 'cyd']],
    ['filter[country_id]=826&filter[status]=Active', ['ada']],
    ['filter[role_id]=1', ['admin']],
    ['filter[role_id]=2', ['bob', 'cyd']],
    ['filter[role_id]=2&filter[status]=Banned', ['bob']],
    ['filter[role_id]=999', []],
  ])('with %s has exactly those users and their number', async (query, names) => {
    expect(await list(query)).toEqual([names, names.length])
  })

  it.each([
    ['id', ['admin', 'ada', 'bob', 'cyd', 'dan']],
    ['-id', ['dan', 'cyd', 'bob', 'ada', 'admin']],
    ['first_name', ['admin', 'dan', 'ada', 'bob', 'cyd']],
    ['-first_name', ['cyd', 'bob', 'ada', 'admin', 'dan']],
    ['last_name', ['admin', 'cyd', 'dan', 'bob', 'ada']],
    ['-email', ['dan', 'cyd', 'bob', 'admin', 'ada']],
    ['-created_at', ['cyd', 'dan', 'admin', 'ada', 'bob']],
    ['-updated_at,-id', ['dan', 'cyd', 'bob', 'ada', 'admin']],
    ['last_name,-first_name', ['admin', 'cyd', 'dan', 'bob', 'ada']],
  ])('sorted by %s compares folded text, null first, ties by ascending id', async (sort, names) => {
    expect(await list(`sort=${sort}`)).toEqual([names, 5])
  })

  it.each(['password_hash', 'password', 'email_canonical', 'username_canonical', 'role_id', '__proto__', 'id;--'])(
    'cannot be sorted or filtered by %s',
    async (column) => {
      const sorted = await t.call(`GET /users?sort=${column}`)
      expect([sorted.status, sorted.body.code]).toEqual([400, 'unknown_sort'])
      if (column === 'role_id') return
      const filtered = await t.call(`GET /users?filter[${column}]=x`)
      expect([filtered.status, filtered.body.code]).toEqual([400, 'unknown_filter'])
    },
  )

  it('finds nobody by a part of a password hash', async () => {
    const { password_hash } = await t.ctx.unguarded
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    for (const piece of ['argon2', password_hash.slice(-8)]) {
      expect(await list(`filter[search]=${encodeURIComponent(piece)}`)).toEqual([[], 0])
    }
  })
})

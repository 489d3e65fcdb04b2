import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { userList } from '../../features/users/users.list.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { threadMs } from '../../testing/processor-time.ts'
import { parseListRequest } from './request.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  for (let made = 0; made < 104; made++) await t.createUser({ country_id: made % 2 === 0 ? 250 : null })
})
afterAll(() => t.close())

const list = (query: string) => t.call(`GET /users?${query}`)
const names = {
  include: 'role, country',
  sort: 'id, first_name, last_name, email, updated_at, created_at, last_login, status, username',
}

describe('an unknown name', () => {
  const hidden = [
    'password_hash',
    'email_canonical',
    'first_name_key',
    '__proto__',
    'constructor',
    'toString',
    'x',
    'ID',
  ]

  it.each([...hidden, 'id;drop', 'id desc', "id'", 'users.id', '1', '(select 1)', 'role.id', '--id', '-', '-x'])(
    'is 400 and lists the known ones: sort=%s',
    async (name) => {
      for (const query of [name, `id,${name}`, `first_name,-${name}`]) {
        const { status, body } = await list(`sort=${encodeURIComponent(query)}`)
        expect({ query, status, code: body.code }).toEqual({ query, status: 400, code: 'unknown_sort' })
        expect(body.message).toContain(`Allowed: ${names.sort}.`)
      }
    },
  )

  it.each([...hidden, 'Role', 'roles', 'role.permissions', 'api_keys', '*'])(
    'is 400 and lists the known ones: include=%s',
    async (name) => {
      for (const path of ['/users', '/users/1']) {
        const { status, body } = await t.call(`GET ${path}?include=role,${encodeURIComponent(name)}`)
        expect({ status, code: body.code }).toEqual({ status: 400, code: 'unknown_include' })
        expect(body.message).toContain(`Allowed: ${names.include}.`)
      }
    },
  )

  it.each([
    ...hidden.map((name) => `filter[${name}]=1`),
    ...[
      'filter=',
      'filter=Active',
      'filter[]=x',
      'filter[status][x]=Active',
      'filter[status][][]=Active',
      'filter[a][b]=1',
      'filter[a][]=1',
      'filter[status=Active',
    ],
    ...[
      'filter[Status]=Active',
      'filter[ status]=Active',
      'filter[status]x=Active',
      'filter[password_hash]=',
      'filter]=x',
    ],
  ])('is 400 and lists the known ones: %s', async (query) => {
    if (query === 'filter]=x') return expect((await list(query)).status).toBe(200) // not a filter
    for (const spelling of [
      query,
      query.replaceAll('[', '%5B').replaceAll(']', '%5D'),
      `filter[status]=Active&${query}`,
    ]) {
      const { status, body } = await list(spelling)
      expect({ spelling, status, code: body.code }).toEqual({ spelling, status: 400, code: 'unknown_filter' })
      expect(body.message).toContain(
        'Allowed: id, search, status, email, role_id, country_id, created_before, created_from, created_to, last_login_before, last_login_from, last_login_to, last_login, import_id, two_factor.',
      )
    }
  })

  it.each(['filter=x', 'filter[status=x', 'filter[status][a][b]=x'])('is named as it was sent: %s', async (query) => {
    expect((await list(query)).body.message).toContain(`Unknown filter "${query.slice(0, -2)}".`)
  })

  it('is 400 on every list, with the names of that list', async () => {
    for (const [path, sorts] of [
      ['/roles', 'id, name, created_at, updated_at'],
      ['/permissions', 'id, name, created_at, updated_at'],
      ['/api-keys', 'id, name, created_at, updated_at, last_used_at, expires_at'],
      ['/activity', 'id, created_at'],
      ['/users/1/activity', 'id, created_at'],
    ]) {
      for (const parameter of ['sort=key_hash', 'filter[key_hash]=x', 'include=user']) {
        const { status, body } = await t.call(`GET ${path}?${parameter}`)
        expect({ path, parameter, status }).toEqual({ path, parameter, status: 400 })
        if (parameter.startsWith('sort')) expect(body.message).toContain(`Allowed: ${sorts}.`)
      }
    }
  })
})

describe('the syntax of other clients', () => {
  it.each([
    ['include[]=role&include[]=country', 'include=role,country'],
    ['include[0]=role&include[1]=country', 'include=role,country'],
    ['include[]=role,country', 'include=role,country'],
    ['sort[]=-created_at&sort[]=email', 'sort=-created_at,email'],
    ['sort[0]=-email', 'sort=-email'],
    ['filter[status][]=Active', 'filter[status]=Active'],
    ['filter[status][]=Active&filter[status][]=Banned', 'filter[status]=Active,Banned'],
    ['filter[role_id][0]=1&filter[role_id][1]=2', 'filter[role_id]=1,2'],
    ['filter[search][]=a', 'filter[search]=a'],
    ['page[number]=2&page[size]=5', 'page=2&per_page=5'],
  ])('%s is %s', async (query, same) => {
    const wanted = (await list(same)).body
    for (const spelling of [query, query.replaceAll('[', '%5B').replaceAll(']', '%5D')]) {
      const { status, body } = await list(spelling)
      expect({ status, data: body.data, meta: body.meta }).toEqual({
        status: 200,
        data: wanted.data,
        meta: { ...wanted.meta, next_cursor: body.meta.next_cursor, prev_cursor: body.meta.prev_cursor },
      })
    }
  })

  it.each([
    ...['include[x]=role', 'include[]x=role', 'include[=role', 'include[][]=role', 'sort[x]=id', 'sort[=id'],
    ...['page[]=2', 'page[x]=2', 'page[number][]=2', 'page[=2', 'per_page[]=5', 'per_page[x]=5', 'cursor[]=x'],
  ])('is 400 if it is invalid: %s', async (query) => {
    const { status, body } = await list(query)
    expect([status, body.code]).toEqual([400, 'malformed_request'])
    expect(body.message).toContain('cannot be read')
  })

  it('keeps page[size] in the links, and replaces page[number]', async () => {
    const { links } = (await list('page[number]=2&page[size]=5')).body
    expect(decodeURIComponent(links.next)).toMatch(/\?page\[size\]=5&page=3$/)
    const next = new URL(links.next)
    expect((await list(next.search.slice(1))).body.meta).toMatchObject({ current_page: 3, per_page: 5 })
  })

  it('is 400 for an unknown include on single objects too, whether or not they have any', async () => {
    for (const path of ['/users/1', '/me', '/roles/1', '/permissions/1', '/settings', '/countries', '/stats', '/meta'])
      for (const query of ['include=no_such', 'include[]=no_such', 'include[x]=role']) {
        const { status } = await t.call(`GET ${path}?${query}`)
        expect({ path, query, status }).toEqual({ path, query, status: 400 })
      }
    expect((await t.call('GET /settings?include=')).status).toBe(200)
  })

  it('is 400 for an unknown sort, filter or cursor where there are no pages, too', async () => {
    for (const path of ['/countries', '/users/1/sessions', '/me/sessions', '/users/1/factors', '/roles/1/permissions'])
      for (const query of [
        'sort=name',
        'sort[]=-id',
        'sort[x]=id',
        'filter[name]=x',
        'filter=x',
        'page[x]=1',
        'cursor=x',
      ]) {
        const { status } = await t.call(`GET ${path}?${query}`)
        expect({ path, query, status }).toEqual({ path, query, status: 400 })
      }
    expect((await t.call('GET /countries?page=2&per_page=5&sort=')).status).toBe(200)
  })
})

describe('page and per_page', () => {
  it.each([
    ['', 1, 20],
    ['per_page=1', 1, 1],
    ['per_page=100', 1, 100],
    ['per_page=101', 1, 100],
    ['per_page=1000000000', 1, 100],
    ['per_page=99999999999999999999', 1, 100],
    ...['0', '-1', 'abc', '1.5', '1e9', '', '+5', '0x10', '٣', 'NaN', '5 ', '5,6', 'null', '-99999999999999999999'].map(
      (value) => [`per_page=${encodeURIComponent(value)}`, 1, 20] as const,
    ),
    ...['0', '-1', 'abc', '1.5', '1e9', '', '+2', '0x2', 'Infinity', '2 ', '2,3'].map(
      (value) => [`page=${encodeURIComponent(value)}`, 1, 20] as const,
    ),
    ['page=2', 2, 20],
    ['page=002&per_page=007', 2, 7],
    ['page=2&page=3&per_page=5&per_page=10', 3, 10],
    ['page[number]=2&page[size]=5', 2, 5],
    ['page[number]=0&page[size]=500', 1, 100],
    ['page[number]=x&page[size]=x', 1, 20],
    ['page[number]=3&per_page=5', 3, 5],
  ] as const)('are clamped, never refused: %s', async (query, page, perPage) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({ current_page: page, per_page: perPage, total: 105 })
    expect(body.data.length).toBe(Math.min(perPage, 105 - (page - 1) * perPage))
  })
})

describe('include', () => {
  it('adds what is requested to each item, and nothing otherwise', async () => {
    const { data } = (await list('per_page=3&include=role,country')).body
    expect(data[0]).toMatchObject({ role: { id: 1, name: 'Admin', users_count: 1 }, country: null })
    expect(data[1]).toMatchObject({ role: { id: 2, users_count: 104 }, country: { id: 250, name: 'France' } })
    for (const query of ['', 'include=', 'include=,', 'include=%20']) {
      const [user] = (await list(query)).body.data
      expect(user).not.toHaveProperty('role')
      expect(user).not.toHaveProperty('country')
    }
  })

  it.each([
    'include=role,country',
    'include=country&include=role',
    'include=role,role,%20country%20,',
    'include=,role,,country',
  ])('may be repeated and spaced: %s', async (query) => {
    expect((await list(query)).body).toMatchObject({ data: (await list('include=role,country')).body.data })
  })
})

describe('a list', () => {
  // asvs: 15.3.1
  it('never shows a hidden column', async () => {
    for (const path of [
      '/users?include=role,country',
      '/users/1',
      '/api-keys',
      '/activity',
      '/roles',
      '/permissions',
    ]) {
      expect((await t.call(`GET ${path}`)).text).not.toMatch(/password_hash|argon2|_canonical|name_key"|key_hash/)
    }
  })

  it('ignores other parameters', async () => {
    const query =
      'utm_source=x&fields[users]=id&q=1&search=ada&status=Banned&limit=1&offset=3&__proto__=1&constructor=1'
    expect((await list(query)).body.data).toEqual((await list('')).body.data)
  })

  // asvs: 1.2.4
  it('survives any query', async () => {
    for (const query of [
      '%',
      '%zz',
      '&&&',
      '===',
      'sort',
      'filter[search]',
      'page',
      '\u0000',
      '%00',
      '%ED%A0%80',
      'a'.repeat(4000),
    ]) {
      expect((await list(query)).status, query).toBe(200)
    }
    expect((await list(`sort=${'id,'.repeat(2000)}`)).status).toBe(200)
    expect((await list(`filter[role_id]=${'1,'.repeat(2000)}`)).status).toBe(200)
    const manyDays = Array.from({ length: 1_200 }, (_, n) => new Date(n * 86_400_000).toISOString().slice(0, 10))
    expect((await list(`filter[last_login]=${manyDays}`)).body.errors).toHaveProperty(['filter[last_login]'])
    const manyTerms = Array.from({ length: 500 }, (_, n) => `filter[search]=x${n}`).join('&')
    expect((await list(manyTerms)).body.errors).toHaveProperty(['filter[search]'])
  })

  it('reads thousands of values in the time of their length, each once', async () => {
    const roles = new URLSearchParams({ 'filter[role_id]': '1,2,'.repeat(3_500) })
    const ids = new URLSearchParams({ 'filter[id]': String(Array.from({ length: 2_900 }, (_, n) => n + 1)) })
    const read = (query: URLSearchParams) => parseListRequest(userList, query).filters
    expect(read(roles).get('role_id')).toEqual([1, 2])
    expect(read(ids).get('id')).toHaveLength(2_900)
    expect(await threadMs(() => read(roles))).toBeLessThan(25)
    expect(await threadMs(() => read(ids))).toBeLessThan(25)
  })
})

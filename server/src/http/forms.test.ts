import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { adminPassword, startTestApp, type TestApp } from '../testing/app.ts'
import { bodyRoutesOf } from '../testing/body-routes.ts'
import { boundary, formHeaders, formOf } from '../testing/images.ts'

let t: TestApp
let id: number
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  id = (await t.createUser({ first_name: 'Ada' })).user.id
})
afterAll(() => t.close())

const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' }
const browser = { 'sec-fetch-site': 'same-origin', origin: 'http://gatehouse.test' }

interface Sent {
  readonly headers: Record<string, string>
  readonly body: string | Buffer
}
/** The same fields as each kind of form. */
const forms = (fields: [name: string, value: string][]): Record<string, Sent> => ({
  urlencoded: { headers: urlencoded, body: new URLSearchParams(fields).toString() },
  multipart: { headers: formHeaders, body: formOf(fields.map(([name, bytes]) => ({ name, bytes }))) },
})
const kinds = ['urlencoded', 'multipart'] as const

describe.each(kinds)('a form (%s) on a route that takes JSON', (kind) => {
  const send = (request: string, fields: [string, string][], headers: Record<string, string> = {}) => {
    const form = forms(fields)[kind] as Sent
    return t.call(request, { body: form.body, headers: { ...form.headers, ...headers } })
  }

  it('has the same field names, and types read from text', async () => {
    const { status, body } = await send('POST /users', [
      ['email', `form-${kind}@example.com`],
      ['username', `Zoë ${kind} +&=%`],
      ['password', 'a quiet harbour & dawn'],
      ['password_confirmation', 'a quiet harbour & dawn'],
      ['role_id', '2'],
      ['country_id', '826'],
      ['birthday', ''],
      ['no_such', 'x'],
    ])
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      email: `form-${kind}@example.com`,
      username: `Zoë ${kind} +&=%`,
      role_id: 2,
      country_id: 826,
      birthday: null,
    })
  })

  it('has lists by names that end with brackets, repeated', async () => {
    const role = await t.createRole(`Form ${kind}`, [])
    for (const names of [
      ['permissions[]', 'permissions[]'],
      ['permissions[0]', 'permissions[1]'],
    ] as const) {
      await t.call(`PUT /roles/${role}/permissions`, { body: { permissions: [] } })
      const { status, body } = await send(`PUT /roles/${role}/permissions`, [
        [names[0], 'users.manage'],
        [names[1], 'users.activity'],
      ])
      expect(status).toBe(200)
      expect(body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual(['users.activity', 'users.manage'])
    }
    const ids = await send('POST /announcements/read', [['ids[]', '3']])
    expect(ids.status).toBe(200)
    const [first] = (await t.call('GET /permissions?per_page=1')).body.data
    const byId = await send(`PUT /roles/${role}/permissions`, [['permissions[]', String(first.id)]])
    expect(byId.body.data).toEqual([first])
  })

  it('gets errors by field, like JSON', async () => {
    const { status, body } = await send('POST /users', [['role_id', 'abc']])
    expect(status).toBe(422)
    expect(body.errors.role_id).toEqual(['The role id field must be an integer.'])
    expect(body.errors).toHaveProperty('email')
  })

  it('is accepted on every route of core and plugins that accepts fields', async () => {
    for (const route of bodyRoutesOf(t)) {
      if (route.bodyIs !== 'fields' || route.method === 'DELETE' || route.url.endsWith('/rotate')) continue
      const { status } = await send(
        `${route.method} /${route.url}`,
        [['no_such', 'x']],
        route.isPublic ? { authorization: '' } : {},
      )
      expect({ route, status: status === 415 || status === 400 || status >= 500 ? status : 'taken' }).toEqual({
        route,
        status: 'taken',
      })
    }
  })

  // asvs: 15.3.7
  it('cannot set anything except fields', async () => {
    const before = (await t.call(`GET /users/${id}`)).body
    const names = ['__proto__', '__proto__[role_id]', 'constructor', 'toString', 'toString[x]', 'id', '[]', '[0]', '']
    const { status, body } = await send(
      `PATCH /users/${id}`,
      names.map((name) => [name, '1']),
    )
    expect({ status, body }).toEqual({ status: 200, body: before })
    expect(({} as { role_id?: string }).role_id).toBeUndefined()
  })

  it('is an object where a name is in brackets, as in JSON: no text, and the filter of a bulk action', async () => {
    for (const name of ['first_name[x]', 'first_name[__proto__]', 'first_name[x][]', 'first_name[x][y]']) {
      const { status, body } = await send(`PATCH /users/${id}`, [[name, 'A']])
      expect([name, status, Object.keys(body.errors)]).toEqual([name, 422, ['first_name']])
    }
    const { status, body } = await send('POST /users/bulk', [
      ['action', 'end_sessions'],
      ['expected', '999'],
      ['filter[search]', 'nobody has this'],
      ['filter[status]', 'Active'],
    ])
    expect([status, body.code, body.count]).toEqual([409, 'bulk_count_changed', 0])
  })

  it('has at most 1,000 fields', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, index): [string, string] => [`f${index}`, ''])
    expect((await send(`PATCH /users/${id}`, many(kind === 'urlencoded' ? 1_000 : 400))).status).toBe(200)
    const { status, body } = await send('POST /announcements/preview', many(1_001))
    expect([status, body.errors]).toEqual([422, { body: ['The body must not have more than 1000 fields.'] }])
    expect((await send(`PATCH /users/${id}`, [['address', 'x'.repeat(66_000)]])).status).toBe(413)
  })

  it('is 415 with the cookie as the credential, unless there is an Authorization header', async () => {
    const credentials = { username: 'admin@example.com', password: adminPassword, cookie: true }
    const login = await t.call('POST /login', { key: null, body: credentials, headers: browser })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    const form = forms([['first_name', 'Formed']])[kind] as Sent
    const patch = (headers: Record<string, string>, body: string | Buffer = form.body) =>
      t.call(`PATCH /users/${id}`, { key: null, body, headers: { ...form.headers, cookie, ...browser, ...headers } })
    await t.call(`PATCH /users/${id}`, { body: { first_name: 'Ada' } })
    const refused = await patch({})
    expect([refused.status, refused.body.code]).toEqual([415, 'unsupported_media_type'])
    expect((await t.call(`GET /users/${id}`)).body.data.first_name).toBe('Ada')
    expect((await patch({}, '')).status).toBe(200)
    expect((await patch({ 'content-type': 'application/json' }, '{}')).status).toBe(200)
    expect((await patch({ authorization: `Bearer ${t.adminKey}` })).body.data.first_name).toBe('Formed')
    expect((await patch({ authorization: 'Bearer gh_wrong' })).status).toBe(401)
  })
})

it.each(['ISO-8859-1', 'us-ascii', '"utf-8"', 'windows-1252'])(
  'a URL-encoded form is read as UTF-8 though it says charset=%s, as HTTP libraries do by default',
  async (charset) => {
    const headers = { 'content-type': `${urlencoded['content-type']}; charset=${charset}` }
    const patch = (body: string) => t.call(`PATCH /users/${id}`, { body, headers })
    const { status, body } = await patch('first_name=Zo%C3%AB')
    expect([status, body.data.first_name]).toEqual([200, 'Zoë'])
    expect((await patch('first_name=Zo%EB')).status).toBe(400)
  },
)

describe('an invalid form', () => {
  it.each(['first_name=%', 'first_name=%zz', '%=1', 'first_name=%ff', 'first_name=%ED%A0%80', 'a=1&first_name=%C3'])(
    'is 400: %s',
    async (body) => {
      const { status, body: answer } = await t.call(`PATCH /users/${id}`, { headers: urlencoded, body })
      expect([status, answer.code]).toEqual([400, 'malformed_request'])
    },
  )

  it('is 400 when it is not UTF-8', async () => {
    const byte = (start: string, end = '') => Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)])
    const parts = formOf([{ name: 'first_name', bytes: 'XX' }])
      .toString('latin1')
      .split('XX')
    for (const [headers, body] of [
      [urlencoded, byte('first_name=')],
      [formHeaders, byte(parts[0] as string, parts[1])],
    ] as const)
      expect((await t.call(`PATCH /users/${id}`, { headers, body })).status).toBe(400)
  })

  it('is 400 when a text is not UTF-8 beside a file', async () => {
    const body = formOf([
      { name: 'first_name', bytes: Buffer.from([0x61, 0xff, 0xe9]) },
      { name: 'no_such', bytes: Buffer.from([0xff]), filename: 'a' },
    ])
    const { status } = await t.call(`PATCH /users/${id}`, { headers: formHeaders, body })
    expect(status).toBe(400)
  })

  it('is 422 with more than 1,000 parts, whatever they are', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const { status, body } = await t.call(`PATCH /users/${id}`, {
      headers,
      body: `${'--x\r\n\r\n\r\n'.repeat(7_000)}--x--\r\n`,
    })
    expect([status, body.errors]).toEqual([422, { body: ['The body must not have more than 1000 fields.'] }])
  })

  it.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['JSON in its place', 'multipart/form-data; boundary=x', '{"first_name":"Grace"}'],
    [
      'a form that stops',
      `multipart/form-data; boundary=${boundary}`,
      formOf([{ name: 'first_name', bytes: 'x' }])
        .toString()
        .slice(0, -30),
    ],
    ['a boundary alone', `multipart/form-data; boundary=${boundary}`, `--${boundary}`],
  ])('is 400: %s', async (_what, type, body) => {
    const { status } = await t.call(`PATCH /users/${id}`, { headers: { 'content-type': type }, body })
    expect(status).toBe(400)
  })

  it('accepts no file in a text field', async () => {
    const body = formOf([{ name: 'first_name', bytes: 'Grace', filename: 'a.txt' }])
    const { status, body: answer } = await t.call(`PATCH /users/${id}`, { headers: formHeaders, body })
    expect([status, Object.keys(answer.errors)]).toEqual([422, ['first_name']])
    const unknown = formOf([
      { name: 'no_such', bytes: Buffer.from([0xff]), filename: 'a' },
      { name: 'last_name', bytes: 'L' },
    ])
    expect((await t.call(`PATCH /users/${id}`, { headers: formHeaders, body: unknown })).body.data.last_name).toBe('L')
  })
})

describe('a form of another site', () => {
  it('cannot sign in by cookie', async () => {
    const fields = { username: 'admin@example.com', password: adminPassword, cookie: 'true' }
    const login = (headers: Record<string, string>) =>
      t.call('POST /login', {
        key: null,
        body: new URLSearchParams(fields).toString(),
        headers: { ...urlencoded, ...headers },
      })
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'none' },
      {},
    ]) {
      const answer = await login(headers)
      expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
    }
    expect((await login(browser)).headers['set-cookie']).toBeDefined()
  })
})

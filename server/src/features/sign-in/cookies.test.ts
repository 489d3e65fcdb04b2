import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import {
  createOwner,
  login,
  password,
  sessionsOf,
  signIn,
  signInWithCookie,
  statusesOf,
} from '../sessions/sessions-test-steps.ts'
import { readAudit, readRow } from '../users/users-test-steps.ts'

/*
 * The cookie is HttpOnly and SameSite, and on https Secure with the __Host- prefix. A request that changes something with it
 * must be same-origin.
 */

const publicUrl = 'http://gatehouse.test'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const ours = { 'sec-fetch-site': 'same-origin' }

/** Calls like a browser that has a cookie. */
const browse = (request: string, cookie: string, headers: Record<string, string> = {}, body?: unknown) =>
  t.call(request, { key: null, headers: { cookie, ...headers }, ...(body === undefined ? {} : { body }) })

describe('signing in with "cookie": true', () => {
  // asvs: 3.3.1, 3.3.2, 3.3.3, 3.3.4
  it.each([
    [publicUrl, /^gatehouse=gs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/],
    ['https://users.example.com', /^__Host-gatehouse=gs_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/],
    ['https://example.com/accounts', /^__Host-gatehouse=gs_[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Strict$/],
  ])('at %s sets exactly this cookie, and the body holds no token', async (url, expected) => {
    const app = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: url })
    const user = await createOwner(app)
    const answer = await login(app, user.email, { cookie: true })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect([answer.headers['set-cookie']].flat()).toEqual([expect.stringMatching(expected)])
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] as string
    expect((await app.call('GET /me', { key: null, headers: { cookie } })).body.data.id).toBe(user.id)
    const [name, value] = cookie.split('=')
    // On https, a cookie that another host or path could have set is ignored.
    const other = { cookie: `${name?.startsWith('__Host-') ? 'gatehouse' : '__Host-gatehouse'}=${value}` }
    expect((await app.call('GET /me', { key: null, headers: other })).status).toBe(401)
  })

  it('sets none if it fails, and none unless asked for', async () => {
    const user = await createOwner(t)
    const answers = [await login(t, user.email, { cookie: true, password: 'wrong one' })]
    for (const body of [{}, { cookie: false }]) answers.push(await login(t, user.email, body))
    expect(answers.map(({ status, headers }) => [status, headers['set-cookie']])).toEqual([
      [422, undefined],
      [200, undefined],
      [200, undefined],
    ])
    for (const cookie of ['yes', 2, 'TRUE']) {
      expect((await login(t, user.email, { cookie })).body.errors).toHaveProperty('cookie')
    }
  })

  // asvs: 7.2.4
  it('again ends the session of the previous cookie, because nobody could end it later', async () => {
    const user = await createOwner(t)
    const first = await signInWithCookie(t, user)
    const [bystander, bearer] = [await signInWithCookie(t, user), await signIn(t, user)]
    const second = await signInWithCookie(t, user, { headers: { cookie: first } })
    const statuses = await Promise.all(
      [first, second, bystander].map(async (one) => (await browse('GET /me', one)).status),
    )
    expect([statuses, await statusesOf(t, bearer)]).toEqual([[401, 200, 200], [200]])
    expect((await readAudit(t, user.id)).at(-1)?.event).toBe('session.ended')
  })

  it('is impossible for another site that repeats the request with its Idempotency-Key', async () => {
    const user = await createOwner(t)
    const from = (site: string) =>
      login(t, user.email, { cookie: true }, { headers: { 'idempotency-key': 'one', 'sec-fetch-site': site } })
    const [first, again, elsewhere] = [await from('same-origin'), await from('same-origin'), await from('cross-site')]
    expect(again.headers['set-cookie']).toEqual(first.headers['set-cookie'])
    expect([elsewhere.status, elsewhere.headers['set-cookie']]).toEqual([403, undefined])
  })

  it('is impossible for a form of another site, in old browsers too', async () => {
    const user = await createOwner(t)
    const body = JSON.stringify({ username: user.email, password, cookie: true })
    const form = new URLSearchParams({ username: user.email, password, cookie: 'true' }).toString()
    for (const [type, sent, expected] of [
      ['text/plain', body, 415],
      ['', body, 403],
      ['application/x-www-form-urlencoded', form, 403],
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="cookie"\r\n\r\n1\r\n--x--\r\n`,
        403,
      ],
    ] as const) {
      const options = { key: null, body: sent, headers: { 'content-type': type } }
      const { status, headers } = await t.call('POST /login', options)
      expect([type, status, headers['set-cookie']]).toEqual([type, expected, undefined])
    }
    expect(await sessionsOf(t, user.id)).toEqual([])
  })
})

const strange: [what: string, headers: Record<string, string>][] = [
  ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site: same-site', { 'sec-fetch-site': 'same-site' }],
  ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none' }],
  ['Sec-Fetch-Site: empty', { 'sec-fetch-site': '' }],
  ['Sec-Fetch-Site in other case', { 'sec-fetch-site': 'Same-Origin' }],
  ['cross-site with our Origin', { 'sec-fetch-site': 'cross-site', origin: publicUrl }],
  ['no header that names its origin', {}],
  ['Origin: null', { origin: 'null' }],
  ['an empty Origin', { origin: '' }],
  ['another Origin', { origin: 'http://evil.test' }],
  ['an Origin that begins like ours', { origin: 'http://gatehouse.test.evil.test' }],
  ['an Origin that ends like ours', { origin: 'http://evil-gatehouse.test' }],
  ['a subdomain', { origin: 'http://sub.gatehouse.test' }],
  ['another scheme', { origin: 'https://gatehouse.test' }],
  ['another port', { origin: 'http://gatehouse.test:8080' }],
  ['a Referer only', { referer: `${publicUrl}/console` }],
  ['a Host that is the Origin', { host: 'evil.test', origin: 'http://evil.test' }],
  ['a forwarded Host', { 'x-forwarded-host': 'evil.test', origin: 'http://evil.test' }],
]

// asvs: 3.5.1
describe('a request with a cookie that changes something', () => {
  const changes: [request: string, body?: object][] = [
    ['PATCH /me/details', { first_name: 'Changed' }],
    ['PUT /me/details', { first_name: 'Changed' }],
    ['POST /logout', {}],
    ['DELETE /me/sessions'],
    ['POST /users', { email: 'forged@example.com', password, password_confirmation: password, role_id: 1 }],
  ]

  it.each(strange)('is refused, before its body is read: %s', async (_, headers) => {
    const admin = await createOwner(t, { role_id: 1 })
    const cookie = await signInWithCookie(t, admin)
    for (const [request, body] of changes) {
      const answer = await browse(request, cookie, headers, body)
      expect([request, answer.status, answer.body.code]).toEqual([request, 403, 'forbidden'])
    }
    expect((await browse('PATCH /me/details', cookie, headers, 'not even JSON')).status).toBe(403)
    expect((await readRow(t, admin.id)).first_name).toBeNull()
    expect(await sessionsOf(t, admin.id)).toHaveLength(1)
    const found = await t.call('GET /users?filter[email]=forged@example.com')
    expect(found.body.meta.total).toBe(0)
  })

  it.each([
    ['as the browser says (Fetch Metadata)', ours],
    ['as the Origin says, if the browser has no Fetch Metadata', { origin: publicUrl }],
  ])('is accepted from our own pages, %s', async (_, headers) => {
    const user = await createOwner(t)
    const cookie = await signInWithCookie(t, user)
    const answer = await browse('PATCH /me/details', cookie, headers, { first_name: 'Ada' })
    expect([answer.status, (await readRow(t, user.id)).first_name]).toEqual([200, 'Ada'])
  })

  // asvs: 3.5.2
  it('is refused in the form that another site could send', async () => {
    const user = await createOwner(t)
    const cookie = await signInWithCookie(t, user)
    const body = '{"first_name":"Changed","x":"=x"}'
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const form = { 'content-type': type }
      expect((await browse('PATCH /me/details', cookie, { ...form, origin: 'http://evil.test' }, body)).status).toBe(
        403,
      )
      expect((await browse('PATCH /me/details', cookie, { ...form, ...ours }, body)).status).toBe(415)
    }
    expect((await readRow(t, user.id)).first_name).toBeNull()
  })
})

it.each(strange)('reading works with a cookie, and a bearer token does everything: %s', async (_, headers) => {
  const user = await createOwner(t)
  const cookie = await signInWithCookie(t, user)
  expect((await browse('GET /me', cookie, headers)).status).toBe(200)
  expect((await browse('HEAD /me', cookie, headers)).status).toBe(200)
  const key = await signIn(t, user)
  const bearer = await t.call('PATCH /me/details', { key, headers, body: { first_name: 'Ada' } })
  expect(bearer.status).toBe(200)
})

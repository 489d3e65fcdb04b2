import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createApp } from '../../app.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { sendRaw } from '../../testing/raw-http.ts'
import { createOwner, login, password, sessionsOf, signIn, signInWithCookie } from '../sessions/sessions-test-steps.ts'
import { readRow } from '../users/users-test-steps.ts'

/* What counts as a credential when a request has a cookie, and how the cookie ends. */

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

describe('with a cookie and an Authorization header, the header wins', () => {
  it('and stands for its own user, wherever the request comes from', async () => {
    const [one, other] = [await createOwner(t), await createOwner(t)]
    const [cookie, key] = [await signInWithCookie(t, one), await signIn(t, other)]
    expect((await t.call('GET /me', { key, headers: { cookie } })).body.data.id).toBe(other.id)
    const headers = { cookie, 'sec-fetch-site': 'cross-site' }
    expect((await t.call('PATCH /me/details', { key, headers, body: { first_name: 'Ada' } })).status).toBe(200)
    expect([(await readRow(t, one.id)).first_name, (await readRow(t, other.id)).first_name]).toEqual([null, 'Ada'])
  })

  it('even where it is worth nothing', async () => {
    const cookie = await signInWithCookie(t, await createOwner(t))
    for (const authorization of ['', 'Bearer', 'Bearer x', 'Basic eDp5', `Bearer gs_${'A'.repeat(43)}`]) {
      expect([authorization, (await browse('GET /me', cookie, { authorization })).status]).toEqual([authorization, 401])
    }
  })
})

describe('a cookie that is no session', () => {
  const token = `gs_${'A'.repeat(43)}`
  const names = [
    '',
    'x',
    token,
    '%',
    '%E0%A4%A',
    '%00',
    '"',
    `"${token}"`,
    `${token},${token}`,
    'j:{"a":1}',
    "' or 1=1 --",
  ]
  names.push('[object Object]', '__proto__', 'é', '\u0080\u00ff', 'x'.repeat(4000), `s:${token}.sig`, `${token}=`)

  it('is 401, never 5xx', async () => {
    for (const value of names) {
      for (const request of ['GET /me', 'PATCH /me/details']) {
        const { status, headers } = await browse(
          request,
          `gatehouse=${value}`,
          ours,
          request === 'GET /me' ? undefined : {},
        )
        expect([value, status, headers['www-authenticate']]).toEqual([value, 401, 'Bearer'])
      }
    }
    for (const cookie of ['', ';', '=', 'gatehouse', ';;=;gatehouse=;', `=gatehouse=${token}`, 'a=b; '.repeat(500)]) {
      expect([cookie, (await browse('GET /me', cookie)).status]).toEqual([cookie, 401])
    }
  })

  it('is 401 over the wire, also with invalid bytes or two headers', async () => {
    for (const bytes of ['gatehouse=\xff\xfe', 'gatehouse=%ff%fe', `gatehouse=${token}\r\nCookie: gatehouse=x`]) {
      const head = `GET /api/me HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\nCookie: ${bytes}\r\n\r\n`
      expect([bytes, (await sendRaw(t.app, Buffer.from(head, 'latin1'))).status]).toEqual([bytes, 401])
    }
  })

  it('does not stand in the way of a public path', async () => {
    const user = await createOwner(t)
    const headers = { cookie: 'gatehouse=%E0%A4%A' }
    expect((await login(t, user.email, { cookie: true }, { headers })).status).toBe(200)
  })

  it('of many cookies with the name, only one is looked up', async () => {
    const cookie = await signInWithCookie(t, await createOwner(t))
    const statuses = [
      (await browse('GET /me', `theme=dark; ${cookie}; other=1`)).status,
      (await browse('GET /me', `${cookie}; gatehouse=x`)).status,
      (await browse('GET /me', `gatehouse=x; ${cookie}`)).status,
    ]
    expect(statuses).toEqual([200, 200, 401])
  })
})

// asvs: 6.3.4
it('a credential works only in its own place: no API key in the cookie, no token in the query or another header', async () => {
  const token = await signIn(t, await createOwner(t))
  expect((await browse('GET /me', `gatehouse=${t.adminKey}`)).status).toBe(401)
  for (const credential of [token, t.adminKey]) {
    for (const name of ['token', 'access_token', 'api_key', 'gatehouse']) {
      expect((await t.call(`GET /me?${name}=${credential}`, { key: null })).status).toBe(401)
    }
    for (const name of ['x-api-key', 'x-auth-token', 'proxy-authorization', 'x-authorization']) {
      const headers = { [name]: `Bearer ${credential}` }
      expect((await t.call('GET /me', { key: null, headers })).status).toBe(401)
    }
  }
})

describe('POST /logout with a cookie', () => {
  it('ends the session on the server and clears the cookie', async () => {
    const user = await createOwner(t)
    const cookie = await signInWithCookie(t, user)
    const answer = await browse('POST /logout', cookie, ours, {})
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    expect(answer.headers['set-cookie']).toBe(
      'gatehouse=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Strict',
    )
    expect([(await browse('GET /me', cookie)).status, await sessionsOf(t, user.id)]).toEqual([401, []])
  })

  it('clears the __Host- cookie with all required attributes', async () => {
    const app = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: 'https://users.example.com' })
    const cookie = await signInWithCookie(app, await createOwner(app))
    const answer = await app.call('POST /logout', { key: null, headers: { cookie, ...ours } })
    expect(answer.headers['set-cookie']).toMatch(/^__Host-gatehouse=; .*Path=\/; .*HttpOnly; Secure; SameSite=Strict$/)
  })
})

it('no log line holds a password, a token or a cookie', async () => {
  const texts: string[] = []
  const app = await createApp(t.ctx, pino({ level: 'trace' }, { write: (text: string) => texts.push(text) }))
  onTestFinished(() => app.close())
  const user = await createOwner(t)
  const send = (url: string, headers: Record<string, string>, payload: object, method: 'POST' | 'GET' = 'POST') =>
    app.inject({ method, url, headers, ...(method === 'POST' ? { payload } : {}) })
  const wish = { username: user.email, password }
  const { token } = (await send('/api/login', {}, wish)).json()
  const signedIn = await send('/api/login', {}, { ...wish, cookie: true })
  const cookie = String(signedIn.headers['set-cookie']).split(';', 1)[0] as string
  await send('/api/login', {}, { ...wish, password: `${password}!` })
  await send('/api/me', { cookie }, {}, 'GET')
  await send('/api/me', { authorization: `Bearer ${token}` }, {}, 'GET')
  await send('/api/logout', { cookie, origin: 'http://evil.test' }, {})
  await send('/api/logout', { cookie, origin: publicUrl }, {})
  expect(texts).toHaveLength(7)
  for (const secret of [password, token, token.slice(3), cookie, cookie.slice(cookie.indexOf('gs_') + 3)])
    expect(texts.join('\n')).not.toContain(secret)
})

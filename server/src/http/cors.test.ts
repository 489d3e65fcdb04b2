import { describe, expect, inject, it } from 'vitest'
import { adminPassword, createTestApp } from '../testing/app.ts'

const origin = 'https://app.example.com'
const preflight = { 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'authorization' }
const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))
const start = (origins?: string) =>
  createTestApp(inject('postgresUrl'), origins === undefined ? {} : { GATEHOUSE_CORS_ORIGINS: origins })

describe('a browser application on another origin', () => {
  // asvs: 3.4.2
  it('gets nothing unless its origin is listed', async () => {
    const t = await start()
    for (const request of ['GET /users', 'OPTIONS /users', 'GET /no-such']) {
      const { headers, status } = await t.call(request, { headers: { origin, ...preflight } })
      expect([corsHeaders(headers), headers.vary]).toEqual([[], undefined])
      if (request.startsWith('OPTIONS')) expect(status).toBe(405)
    }
  })

  it('gets preflights on every path without a credential, and their methods and headers', async () => {
    const t = await start(`${origin}, http://localhost:5173`)
    for (const path of ['/users', '/users/1', '/login', '/announcements/1', '/users/']) {
      const { status, headers, text } = await t.call(`OPTIONS ${path}`, {
        key: null,
        headers: { origin, ...preflight },
      })
      expect({ path, status, text }).toEqual({ path, status: 204, text: '' })
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' })
      expect(headers['access-control-allow-methods']).toContain('PATCH')
      expect(headers['access-control-allow-headers']).toMatch(/Authorization, Content-Type.*Idempotency-Key/)
      // What an import that is packed and a client of the stream send.
      expect(headers['access-control-allow-headers']).toMatch(/Content-Encoding.*Last-Event-ID/)
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
    expect((await t.call('OPTIONS /users', { headers: { origin } })).status).toBe(405)
  })

  it('can read every answer, including errors, and the headers about limits', async () => {
    const t = await start(origin)
    for (const [request, key, expected] of [
      ['GET /users', t.adminKey, 200],
      ['GET /users', null, 401],
      ['GET /users/0', t.adminKey, 404],
      ['GET /no-such', t.adminKey, 404],
      ['POST /users', t.adminKey, 422],
      ['POST /countries', t.adminKey, 405],
    ] as const) {
      const { status, headers } = await t.call(request, { key, headers: { origin } })
      expect({ request, status }).toEqual({ request, status: expected })
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After',
        vary: 'origin',
      })
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
    for (const path of ['//', '//healthz', '//metrics'])
      expect(corsHeaders((await t.call(`GET ${path}`, { headers: { origin } })).headers)).toEqual([])
  })

  // asvs: 3.4.2
  it.each([
    ...['null', 'https://app.example.com.evil.test', 'https://evil-app.example.com', 'https://sub.app.example.com'],
    ...[
      'http://app.example.com',
      'https://app.example.com:8443',
      'https://APP.example.com',
      'https://app.example.com/',
      '*',
      '',
    ],
  ])('is another one when its origin is %j', async (other) => {
    const t = await start(origin)
    for (const request of ['GET /users', 'OPTIONS /users']) {
      const { headers } = await t.call(request, { headers: { origin: other, ...preflight } })
      expect(corsHeaders(headers)).toEqual([])
    }
  })

  it('never acts with the cookie, and never gets one', async () => {
    const t = await start(origin)
    const credentials = { username: 'admin@example.com', password: adminPassword, cookie: true }
    const own = { origin: 'http://gatehouse.test', 'sec-fetch-site': 'same-origin' }
    const login = await t.call('POST /login', { key: null, body: credentials, headers: own })
    const cookie = String(login.headers['set-cookie']).split(';')[0] as string
    expect((await t.call('GET /me', { key: null, headers: { cookie } })).status).toBe(200)
    expect((await t.call('GET /me', { key: null, headers: { cookie, origin } })).status).toBe(401)
    expect((await t.call('PATCH /me/details', { key: null, headers: { cookie, origin }, body: {} })).status).toBe(401)
    const refused = await t.call('POST /login', { key: null, body: credentials, headers: { origin } })
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
    const token = await t.call('POST /login', {
      key: null,
      body: { ...credentials, cookie: false },
      headers: { origin },
    })
    expect((await t.call('GET /me', { key: token.body.token, headers: { origin, cookie } })).status).toBe(200)
  })

  it('is not our own origin, even if it is listed: the console keeps its cookie', async () => {
    const t = await start(`http://gatehouse.test,${origin}`)
    expect(t.ctx.config.corsOrigins).toEqual([origin])
  })
})

import { Readable } from 'node:stream'
import type { HTTPMethods } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { type BodyRoute, bodyRoutesOf } from '../testing/body-routes.ts'
import { excessiveJson, largeJson } from '../testing/hostile-json.ts'

let t: TestApp
let routes: BodyRoute[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  routes = bodyRoutesOf(t)
})
afterAll(() => t.close())

const kibibyte = 1024
const send = (route: BodyRoute, body: string) =>
  t.call(`${route.method} /${route.url}`, { body, ...(route.isPublic ? { key: null } : {}) })
/** `/me/preferences` stores and returns a whole object of at most 16 KiB. Its own test covers its limits. */
const storesWhole = ({ url }: BodyRoute) => url === '/api/me/preferences'
const fieldRoutes = () => routes.filter((route) => route.bodyIs === 'fields' && !storesWhole(route))

/** The texts that were parsed as JSON in the meantime, except short ones that the server itself stores. */
function watchParsing(): string[] {
  const parsed: string[] = []
  const parse = JSON.parse
  const spy = vi.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    if (String(text).length > 1_000 || /^\[\{"a"/.test(String(text))) parsed.push(text)
    return parse(text, reviver)
  })
  onTestFinished(() => void spy.mockRestore())
  return parsed
}

describe('a body beyond the limits', () => {
  it('is tested on every route of core and plugins that reads one', () => {
    expect(fieldRoutes().length).toBeGreaterThan(50)
    const isOpen = fieldRoutes().filter(({ isPublic }) => isPublic)
    expect(isOpen.map(({ url }) => url)).toContain('/api/register')
    expect(routes.map(({ url }) => url)).toContain('/api/announcements/1')
  })

  it.each(Object.keys(excessiveJson(64 * kibibyte)))(
    'is answered 422 on every route and never parsed: %s',
    async (name) => {
      const parsed = watchParsing()
      for (const route of fieldRoutes()) {
        const { status, body } = await send(route, excessiveJson(route.maxBytes)[name] as string)
        expect({ route, status, code: body.code }).toEqual({ route, status: 422, code: 'validation_failed' })
        expect(body.errors.body).toHaveLength(1)
      }
      expect(parsed).toEqual([])
      t.clock.advance({ minutes: 1 })
    },
  )

  it('is answered 413 on every route when it is a byte too large, announced or not, and never parsed', async () => {
    const parsed = watchParsing()
    for (const route of fieldRoutes()) {
      const text = `{"no_such":"${'a'.repeat(route.maxBytes - 13)}"}`
      expect(Buffer.byteLength(text)).toBe(route.maxBytes + 1)
      const { status, body } = await send(route, text)
      expect({ route, status, code: body.code }).toEqual({ route, status: 413, code: 'payload_too_large' })
      const streamed = await t.app.inject({
        method: route.method as HTTPMethods & 'POST',
        url: route.url,
        headers: {
          authorization: `Bearer ${t.adminKey}`,
          'content-type': 'application/json',
          'transfer-encoding': 'chunked',
        },
        payload: Readable.from([text.slice(0, -1), text.slice(-1)]),
      })
      expect({ route, status: streamed.statusCode }).toEqual({ route, status: 413 })
    }
    expect(parsed).toEqual([])
  })

  it('may have 64 KiB, for announcements and lists of ids 256 KiB', () => {
    const large = fieldRoutes().filter(({ maxBytes }) => maxBytes !== 64 * kibibyte)
    expect(large.map(({ method, url, maxBytes }) => `${method} ${url} ${maxBytes / kibibyte}`)).toEqual([
      'POST /api/users/bulk 256',
      'POST /api/announcements 256',
      'POST /api/announcements/preview 256',
      'PATCH /api/announcements/1 256',
      'PUT /api/announcements/1 256',
    ])
  })

  it('may come in a few pieces, and in thousands is answered 413', async () => {
    const inPieces = (pieces: number) =>
      t.app.inject({
        method: 'POST',
        url: '/api/password/remind',
        headers: { 'content-type': 'application/json', 'transfer-encoding': 'chunked' },
        payload: Readable.from([...Array.from({ length: pieces - 1 }, () => Buffer.from(' ')), Buffer.from('{}')]),
      })
    expect((await inPieces(1_000)).statusCode).toBe(422)
    const { statusCode, body } = await inPieces(1_100)
    expect([statusCode, body]).toEqual([413, expect.stringContaining('too many pieces')])
  })

  it('is only checked for callers who may call', async () => {
    for (const body of [' '.repeat(300 * kibibyte), '['.repeat(1_000)])
      expect((await t.call('POST /users', { key: null, body })).status).toBe(401)
  })
})

// asvs: 15.2.2
describe('a body at the limits', () => {
  it.each(Object.keys(largeJson(64 * kibibyte)))('is answered quickly on every route: %s', async (name) => {
    for (const route of fieldRoutes().filter(({ method }) => method !== 'DELETE')) {
      if (route.url === '/api/api-keys/1/rotate') continue // it needs no body, and would revoke the key of this test
      const { status, text } = await send(route, largeJson(route.maxBytes)[name] as string)
      expect({ route, isAnswered: status < 500 && status !== 413 }).toEqual({ route, isAnswered: true })
      expect(text.length).toBeLessThan(4 * kibibyte)
      t.clock.advance({ seconds: 1 })
    }
    t.clock.advance({ minutes: 1 })
  })

  it('gets errors for text and lists of any length, without a check of each element', async () => {
    const { body } = await t.call('POST /users', { body: largeJson(64 * kibibyte)['an address of many labels'] })
    expect(body.errors.email).toEqual(['The email field must not be greater than 254 characters.'])
    const role = await t.createRole('Wide', [])
    const list = await t.call(`PUT /roles/${role}/permissions`, {
      body: { permissions: Array.from({ length: 11_000 }, () => ({})) },
    })
    expect(list.body.errors).toEqual({ permissions: ['The permissions field must not have more than 1000 items.'] })
    const names = Array.from({ length: 900 }, (_, index) => `${index}${'x'.repeat(60)}`)
    const unknown = await t.call(`PUT /roles/${role}/permissions`, { body: { permissions: names } })
    expect(unknown.body.errors.permissions).toHaveLength(20)
    const long = await t.call(`PUT /roles/${role}/permissions`, { body: { permissions: ['x'.repeat(60_000)] } })
    expect(long.body.errors.permissions[0]).toBe(`There is no permission "${'x'.repeat(64)}…".`)
  })

  it('has long names in queries truncated in messages', async () => {
    const long = 'x'.repeat(10_000)
    for (const query of [`include=${long}`, `sort=${long}`, `filter[${long}]=1`]) {
      const { status, text } = await t.call(`GET /users?${query}`)
      expect([status, text.length < kibibyte]).toEqual([400, true])
    }
  })
})

describe('what strangers send', () => {
  const body = '['.repeat(64 * kibibyte)
  const full = (ip: string) => t.call('POST /login', { key: null, body, ip })

  it('has a budget for each network address; beyond it the answer is 429 with Retry-After, and other addresses are not affected', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 260; sent++) statuses.push((await full('192.0.2.1')).status)
    expect(statuses).toEqual([...Array(256).fill(422), ...Array(4).fill(429)])
    const { body, headers } = await full('192.0.2.1')
    expect(body).toEqual({ message: 'Too Many Attempts.', code: 'too_many_attempts' })
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await full('192.0.2.2')).status).toBe(422)
    expect((await t.call('PATCH /users/1', { ip: '192.0.2.1', body: {} })).status).toBe(200)
    expect((await t.call('GET /meta', { ip: '192.0.2.1', key: null })).status).toBe(200)
    t.clock.advance({ minutes: 1 })
    expect((await full('192.0.2.1')).status).toBe(422)
  })

  it('is accepted again after the clock was set back', async () => {
    const statuses: number[] = []
    for (let sent = 0; sent < 257; sent++) statuses.push((await full('192.0.2.7')).status)
    expect(statuses.at(-1)).toBe(429)
    t.clock.advance({ hours: -1 })
    expect((await full('192.0.2.7')).status).toBe(422)
    t.clock.advance({ hours: 1 })
  })

  it('counts a /64 of IPv6 as one address, and bodies without an announced length as they arrive', async () => {
    const payload = () => Readable.from(Array.from({ length: 16 }, () => Buffer.alloc(4 * kibibyte, ' ')))
    const headers = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' }
    let refused = 0
    for (let sent = 0; sent < 260; sent++) {
      const remoteAddress = `2001:db8::${sent.toString(16)}`
      const options = { method: 'POST', url: '/api/login', headers, remoteAddress, payload: payload() } as const
      const { statusCode } = await t.app.inject(options)
      if (statusCode === 429) refused++
    }
    expect(refused).toBe(4)
    t.clock.advance({ minutes: 1 })
  })

  it('is accepted from many parallel registrations of one address', async () => {
    const register = (index: number) =>
      t.call('POST /register', {
        key: null,
        ip: '192.0.2.9',
        body: {
          email: `crowd${index}@example.com`,
          username: `crowd${index}`,
          password: 'a quiet harbour at dawn',
          password_confirmation: 'a quiet harbour at dawn',
        },
      })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => register(index)))
    expect(answers.map(({ status }) => status)).toEqual(Array(30).fill(201))
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../testing/app.ts'
import { type RawAnswer, sendRaw, sendTarget } from '../testing/raw-http.ts'

let t: TestApp
let broken: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '2000/day' })
  broken = await startTestApp(inject('postgresUrl'))
  await broken.ctx.unguarded.schema.alterTable('activity').renameTo('gone').execute()
})
afterAll(() => Promise.all([t.close(), broken.close()]))

type Headers = Record<string, unknown>
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function expectSecure(headers: Headers): void {
  expect(headers).toMatchObject({
    'x-request-id': expect.stringMatching(uuid),
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  const names = Object.keys(headers).join(' ')
  expect(names).not.toMatch(/(^| )(server|x-powered-by|via|access-control-|set-cookie|strict-transport)/)
}

const tooLarge = JSON.stringify({ first_name: 'a'.repeat(1024 * 1024) })
const answers: [number, string, () => Promise<{ status: number; headers: Headers }>][] = [
  [200, 'a list', () => t.call('GET /users')],
  [200, 'a HEAD', () => t.call('HEAD /users')],
  [200, 'an update', () => t.call('PATCH /users/1', { body: { first_name: 'Ada' } })],
  [201, 'a creation', () => t.call('POST /roles', { body: { name: 'Headers' } })],
  [200, 'the health', () => t.call('GET //healthz')],
  [200, 'the readiness', () => t.call('GET //readyz')],
  [200, 'the metrics', () => t.call('GET //metrics')],
  [200, 'the OpenAPI document', () => t.call('GET /openapi.json', { key: null })],
  [400, 'malformed JSON', () => t.call('POST /users', { body: '{' })],
  [400, 'an unknown sort', () => t.call('GET /users?sort=x')],
  [401, 'no credential', () => t.call('GET /users', { key: null })],
  [403, 'no permission', async () => t.call('GET /users', { key: (await t.createUser()).key })],
  [404, 'no such object', () => t.call('GET /users/999')],
  [404, 'no such route', () => t.call('GET /no-such')],
  [404, 'no such page', () => t.call('GET //no-such', { key: null })],
  [404, 'an undecodable path', () => t.call('GET /users/%zz')],
  [404, 'a path that is too long', () => t.call(`GET /users/${'9'.repeat(1000)}`)],
  [405, 'a wrong method', () => t.call('DELETE /users')],
  [413, 'too large', () => t.call('POST /users', { body: tooLarge })],
  [415, 'a wrong type', () => t.call('POST /users', { body: '{}', headers: { 'content-type': 'text/plain' } })],
  [422, 'a failing field', () => t.call('POST /users', { body: {} })],
  [500, 'an internal error', () => broken.call('GET /activity')],
]

// asvs: 3.4.4, 3.4.5, 3.4.6, 14.2.2, 14.3.2
describe('every answer', () => {
  it.each(answers)('carries the security headers and names no software: %i, %s', async (status, _what, send) => {
    const answer = await send()
    expect(answer.status).toBe(status)
    expectSecure(answer.headers)
  })

  it('carries the security headers when the limit is reached (429)', async () => {
    const limited = await createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '1/hour' })
    await limited.call('GET /users')
    const answer = await limited.call('GET /users')
    expect(answer.status).toBe(429)
    expectSecure(answer.headers)
  })

  it('has its own request id, whatever id the caller sends', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
    const all = await Promise.all(Array.from({ length: 20 }, () => t.call('GET //healthz', { headers })))
    const ids = new Set(all.map((answer) => answer.headers['x-request-id']))
    expect(ids.size).toBe(20)
    expect(ids).not.toContain('mine')
  })

  // asvs: 4.1.1
  it('is JSON in UTF-8 if it has a body', async () => {
    for (const path of ['/users', '/users/1', '/no-such', '/users?sort=x', '/openapi.json']) {
      expect((await t.call(`GET ${path}`)).headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })
})

describe('HSTS', () => {
  const name = 'strict-transport-security'
  // asvs: 3.4.1
  it('is sent, on errors too, when the public URL is https', async () => {
    const https = await createTestApp(inject('postgresUrl'), { GATEHOUSE_PUBLIC_URL: 'https://gatehouse.test' })
    for (const path of ['/users', '/no-such', '/users/%zz']) {
      expect((await https.call(`GET ${path}`)).headers[name]).toBe('max-age=31536000; includeSubDomains')
    }
  })

  it('is not sent when it is http, whatever a request claims', async () => {
    const { headers } = await t.call('GET /users', { headers: { 'x-forwarded-proto': 'https' } })
    expect(headers).not.toHaveProperty(name)
  })
})

describe('CORS', () => {
  const origins = ['null', 'https://evil.example', 'http://gatehouse.test', 'http://gatehouse.test.evil.example', '*']
  const requests = [
    'GET /users',
    'OPTIONS /users',
    'POST /users',
    'OPTIONS /no-such',
    'GET //healthz',
    'GET /openapi.json',
  ]

  it.each(origins)('is off for the origin %s', async (origin) => {
    for (const request of requests) {
      const { headers } = await t.call(request, {
        headers: {
          origin,
          'access-control-request-method': 'DELETE',
          'access-control-request-headers': 'authorization',
        },
      })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  })
})

describe('the id of a request', () => {
  it('is that of a trusted proxy, in the answer and in the audit log', async () => {
    const app = await createTestApp(inject('postgresUrl'), { GATEHOUSE_TRUST_PROXY: '192.0.2.1' })
    const name = (id: string, ip: string) =>
      app.call('POST /roles', { ip, headers: { 'x-request-id': id }, body: { name: `Role ${id.slice(0, 20)} ${ip}` } })
    const idOf = async (id: string, ip: string) => (await name(id, ip)).headers['x-request-id']
    const given = 'proxy-4bf92f3577b34da6'
    expect(await idOf(given, '192.0.2.1')).toBe(given)
    expect(await idOf(given, '192.0.2.2')).toMatch(uuid)
    for (const odd of ['short', 'a b c d e f g', 'ä'.repeat(10), 'x'.repeat(129), '<script>alert(1)</script>'])
      expect(await idOf(odd, '192.0.2.1')).toMatch(uuid)
    const { data } = (await app.call('GET /activity?filter[event]=role.created&sort=id')).body
    expect(data[0].request_id).toBe(given)
  })

  it('is always new where no proxy is trusted', async () => {
    const { headers } = await t.call('GET /meta', { headers: { 'x-request-id': 'proxy-4bf92f3577b34da6' } })
    expect(headers['x-request-id']).toMatch(uuid)
  })
})

describe('what is not HTTP', () => {
  const expectRefusal = (
    { status, headers, body }: RawAnswer,
    expected: number,
    message = 'The request is malformed.',
  ) => {
    expect(status).toBe(expected)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      connection: 'close',
    })
    expect(headers['x-request-id']).toMatch(uuid)
    expect(JSON.parse(body)).toEqual({ message, code: 'malformed_request' })
  }

  it('says what is wrong with an address in UTF-8, which old clients send', async () => {
    const answer = await sendRaw(t.app, 'GET /api/users?filter[search]=Zoë HTTP/1.1\r\nHost: x\r\n\r\n')
    const message = 'The request is malformed: in its address, what is not ASCII must be percent-encoded (ë is %C3%AB).'
    expectRefusal(answer, 400, message)
  })

  // asvs: 4.2.1
  it.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 0x01, 0x00, 0x00, 0x01, 0x00])],
    ['a space in the target', 'GET /api/us ers HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a bare LF in a header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nA: b\nC: d\r\n\r\n'],
    ['two hosts', 'GET /api/users HTTP/1.1\r\nHost: gatehouse.test\r\nhOsT: evil.example\r\n\r\n'],
    ['the same host twice', 'POST /api/login HTTP/1.1\r\nHost: x\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
    ['two hosts in HTTP/1.0', 'GET /healthz HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['two hosts and an undecodable path', 'GET /api/users/%zz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['two lengths', 'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative length', 'POST /api/users HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n'],
  ])('is answered 400 in our words: %s', async (_what, bytes) => {
    expectRefusal(await sendRaw(t.app, bytes), 400)
  })

  it('is answered 431 if the header is too large', async () => {
    expectRefusal(await sendRaw(t.app, `GET /healthz HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`), 431)
  })

  it('leaves the server serving', async () => {
    expect((await sendTarget(t.app, '/healthz')).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { sendTarget } from '../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const words = (text: string): string[] => text.trim().split(/\s+/)
const notFound = { message: 'Resource not found.', code: 'not_found' }

describe('an id in a path', () => {
  // asvs: 1.4.2
  it.each([
    ...words('abc 01 1e3 -1 0 +1 1.0 1. %201 1%20 0x1 1n 1,2 %EF%BC%91 %D9%A1 %00 1%00 1%0A 1;2 1%2F2 ~1 1%27--'),
    ...words(
      'null undefined __proto__ constructor NaN Infinity 9007199254740992 9007199254740993 18446744073709551616',
    ),
    ...['9'.repeat(100), '9'.repeat(1000)],
  ])('is 404 on every route if it is %s', async (id) => {
    const requests = ['GET /users/', 'PATCH /users/', 'DELETE /roles/', 'GET /permissions/', 'GET /api-keys/'].map(
      (start) => t.call(start + id, { body: {} }),
    )
    for (const { status, body } of await Promise.all(requests))
      expect({ status, body }).toEqual({ status: 404, body: notFound })
  })

  // asvs: 1.1.1
  it('may be percent-encoded: %31 is 1', async () => {
    const { status, body } = await t.call('GET /users/%31')
    expect({ status, id: body.data.id }).toEqual({ status: 200, id: 1 })
  })

  it('is 404 if it does not exist', async () => {
    for (const id of [2, 2_147_483_648, Number.MAX_SAFE_INTEGER]) {
      const { status, body } = await t.call(`GET /users/${id}`)
      expect({ status, body }).toEqual({ status: 404, body: notFound })
    }
  })
})

describe('a trailing slash and doubled slashes', () => {
  it.each([
    '/api/users/',
    '//api//users',
    '/api/users//',
    '/api///users/',
    '/api/users/?per_page=1',
    '/api//users//1',
    '/api/users/1/',
    '//healthz/',
  ])('change nothing: %s', async (target) => {
    const plain = target.replaceAll(/\/+/g, '/').replace(/\/(?=\?|$)/, '')
    const wanted = await sendTarget(t.app, plain, { key: t.adminKey })
    const { status, body } = await sendTarget(t.app, target, { key: t.adminKey })
    expect({ status, body }).toEqual({ status: 200, body: wanted.body })
    if (target.includes('api')) expect((await sendTarget(t.app, target)).status).toBe(401)
  })

  it('do not bypass the permission check for writes', async () => {
    const { key } = await t.createUser()
    for (const target of ['/api/users/1/', '//api/users/1', '/api/users//1', '/api//users/1//']) {
      expect((await sendTarget(t.app, target, { method: 'DELETE', key })).status).toBe(403)
      expect((await sendTarget(t.app, target, { method: 'DELETE' })).status).toBe(401)
      expect((await sendTarget(t.app, target, { method: 'POST', key })).status).toBe(405)
    }
    expect((await sendTarget(t.app, '//no-such//')).status).toBe(404)
  })
})

describe('an unknown route', () => {
  it.each([
    ...['GET /', 'GET /no-such', 'POST /no-such', 'GET /users/1/no-such', 'PURGE /users', 'DELETE /no-such'],
    ...['GET //api', 'GET //no-such', 'PUT //no-such', 'GET //index.php', 'GET //.env', 'OPTIONS /no-such'],
  ])('is 404 with or without a credential: %s', async (request) => {
    for (const key of [null, t.adminKey]) {
      const { status, body } = await t.call(request, { key })
      expect({ status, body }).toEqual({ status: 404, body: notFound })
    }
  })

  it('is 404 whatever body comes with it', async () => {
    const { status } = await t.call('POST /no-such', { body: '{', headers: { 'content-type': 'text/plain' } })
    expect(status).toBe(404)
  })
})

describe('another notation of a path', () => {
  const spellings = words(String.raw`
    //api/users /api//users /api/users/ /api/users// /API/users /api/Users /api/./users /./api/users /api/x/../users
    /api/users/. /api/users/.. /api/%2e/users /api/x/%2e%2e/users /api%2Fusers /%61pi/users /api/us%65rs /api/users%00
    /api/%75%73%65%72%73 /api/users%2500 /api/users%20 /api/users%09 /api/users;x /api/users;.json /api/users.json
    /api\users /api/users\ /api/users%5C /api/users%2F /api/users%2F1 /api/users/1%2F /api/users/1/ /api/%C0%AFusers
    /api/docs/../users /api/docs/%2e%2e/users /api/docs/static/%2e%2e/%2e%2e/users /api/openapi.json/../users
    /api/users#x /api/users? /api/users?? http://gatehouse.test/api/users http://evil.example/api/users
    /healthz/../api/users /avatars/..%2fapi/users /api/%u0075sers /api/users% /api/users%zz *`)

  it.each(spellings)('reaches no data without a credential: %s', async (target) => {
    const { status, body } = await sendTarget(t.app, target)
    // `*` is parsed as the start page, which is public.
    if (target !== '*') expect([400, 401, 404]).toContain(status)
    expect(body).not.toContain('admin@example.com')
  })

  it.each(spellings)('never fails the server with one: %s', async (target) => {
    expect([200, 400, 404]).toContain((await sendTarget(t.app, target, { key: t.adminKey })).status)
  })

  it.each(['/api/users', '/api/us%65rs', '/api/users?x=1'])(
    'is the same route if it decodes to it: %s',
    async (target) => {
      expect((await sendTarget(t.app, target)).status).toBe(401)
      expect((await sendTarget(t.app, target, { key: t.adminKey })).status).toBe(200)
    },
  )
})

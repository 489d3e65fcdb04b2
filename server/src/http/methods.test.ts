import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { sendTarget } from '../testing/raw-http.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const

/** Every path of a route, with the methods of its routes; Swagger UI has its own. */
function knownPaths(): Map<string, Set<string>> {
  const paths = new Map<string, Set<string>>()
  for (const { url, method, config } of t.app.routeTable) {
    if (/^\/api\/docs|\*/.test(url) || (config as { access?: object } | undefined)?.access === undefined) continue
    const taken = [method].flat()
    if (taken.includes('OPTIONS')) continue // the refusals themselves
    paths.set(url, new Set([...(paths.get(url) ?? []), ...taken]))
  }
  return paths
}
const request = (method: string, url: string) => `${method} /${url.replace(':id', '1')}`

describe('a method that a known path does not support', () => {
  it('is 405 and lists the supported ones, on every path, with and without a credential', async () => {
    const paths = knownPaths()
    expect([...paths.keys()]).toEqual(expect.arrayContaining(['/api/users', '/api/users/:id', '/healthz', '/metrics']))
    for (const [url, taken] of paths) {
      for (const method of methods.filter((name) => !taken.has(name))) {
        for (const key of [t.adminKey, null]) {
          const { status, headers, body } = await t.call(request(method, url), { key })
          expect({ method, url, status, allow: headers.allow }).toEqual({
            method,
            url,
            status: 405,
            allow: expect.any(String),
          })
          expect(new Set(String(headers.allow).split(', '))).toEqual(taken)
          if (method !== 'HEAD') expect(body).toEqual({ message: expect.any(String), code: 'method_not_allowed' })
        }
      }
    }
  })

  it('is 405 whatever body and id come with it', async () => {
    const headers = { 'content-type': 'text/plain' }
    expect((await t.call('DELETE /users', { body: '{', headers })).status).toBe(405)
    expect((await t.call('POST /users/abc', { body: 'x'.repeat(2 * 1024 * 1024) })).status).toBe(405)
  })

  it('is 404 on an unknown path', async () => {
    for (const method of methods) expect((await t.call(`${method} /no-such`)).status).toBe(404)
  })

  it.each(['PROPFIND', 'M-SEARCH', 'UNLINK'])(
    'is refused like the others where only WebDAV or the like has it: %s',
    async (method) => {
      const send = (target: string) => sendTarget(t.app, target, { method, key: t.adminKey })
      expect(await send('/api/users')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, POST' } })
      expect(await send('/api/users/1')).toMatchObject({ status: 405 })
      expect(await send('/no-such')).toMatchObject({ status: 404 })
    },
  )
})

describe('PUT', () => {
  it('is accepted wherever PATCH is, and does the same', async () => {
    for (const [url, taken] of knownPaths()) if (taken.has('PATCH')) expect(taken, url).toContain('PUT')
    const { status, body } = await t.call('PUT /users/1', { body: { last_name: 'Lovelace' } })
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { data: { username: 'admin', last_name: 'Lovelace' } },
    })
  })
})

describe('HEAD', () => {
  /** Without what differs in every answer, and without what says how a stream is cut up. */
  const withoutId = ({
    'x-request-id': _,
    'transfer-encoding': ___,
    date: __,
    'content-security-policy': policy,
    ...headers
  }: Record<string, unknown>) => ({
    ...headers,
    policy: String(policy).replace(/'nonce-[^']+'/, "'nonce-…'"),
  })

  it('answers on every GET with the same status and headers and no body', async () => {
    const paths = [...knownPaths()].filter(([, taken]) => taken.has('GET')).map(([url]) => url)
    expect(paths.length).toBeGreaterThan(10)
    for (const url of paths.filter((path) => path !== '/metrics')) {
      for (const key of [t.adminKey, null]) {
        const get = await t.call(request('GET', url), { key })
        const head = await t.call(request('HEAD', url), { key })
        expect({ url, status: head.status, text: head.text }).toEqual({ url, status: get.status, text: '' })
        expect({ url, ...withoutId(head.headers) }).toEqual({ url, ...withoutId(get.headers) })
      }
    }
  })

  it.each(['/users/999', '/users/abc', '/no-such', '/users?sort=x', '/users/%zz'])(
    'answers errors as GET does: %s',
    async (path) => {
      const get = await t.call(`GET ${path}`)
      const head = await t.call(`HEAD ${path}`)
      expect(head).toMatchObject({ status: get.status, text: '' })
      expect(withoutId(head.headers)).toEqual(withoutId(get.headers))
    },
  )

  it('answers on /metrics, whose length changes by itself', async () => {
    expect(await t.call('HEAD //metrics')).toMatchObject({ status: 200, text: '' })
  })
})

// asvs: 13.4.4
it('TRACE echoes nothing: no path supports it', async () => {
  for (const target of ['/', '/api/users', '/healthz', '/no-such']) {
    const { status, body } = await sendTarget(t.app, target, { method: 'TRACE', key: t.adminKey })
    const refused = target === '/no-such' ? [404, 'not_found'] : [405, 'method_not_allowed']
    expect([target, status, JSON.parse(body).code]).toEqual([target, ...refused])
  }
})

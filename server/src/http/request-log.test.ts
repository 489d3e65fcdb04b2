import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { createTestApp } from '../testing/app.ts'
import { until } from '../testing/until.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly path?: string
  readonly [name: string]: unknown
}

/** A second server on the same database, which logs into an array. */
async function startLogged(settings: Record<string, string> = {}) {
  const t = await createTestApp(inject('postgresUrl'), settings)
  const texts: string[] = []
  const logger = pino({ level: 'trace', base: null }, { write: (text: string) => texts.push(text) })
  const app = await createApp(t.ctx, logger)
  onTestFinished(() => app.close())
  const get = (url: string, headers: Record<string, string> = {}) =>
    app.inject({ url, headers: { authorization: `Bearer ${t.adminKey}`, ...headers } })
  const lines = (): Line[] => texts.map((text) => JSON.parse(text))
  return { t, app, get, texts, lines }
}

describe('the request log', () => {
  // asvs: 16.2.1, 16.2.4, 16.3.2
  it('has one line for each request: who, what, from where, and the result', async () => {
    const { get, lines, app } = await startLogged()
    const answer = await get('/api/users/1?include=role')
    await app.inject({ url: '/api/users', remoteAddress: '192.0.2.7' })
    await get('/no-such')
    await get('/api/users/%zz')
    await get(`/api/users/${'9'.repeat(500)}`)
    expect(lines()).toMatchObject([
      {
        msg: 'request',
        method: 'GET',
        path: '/api/users/:id',
        status: 200,
        userId: 1,
        ip: '127.0.0.1',
        ms: expect.any(Number),
      },
      { msg: 'request', method: 'GET', path: '/api/users', status: 401, userId: null, ip: '192.0.2.7' },
      { msg: 'request', path: 'unknown', status: 404 },
      { msg: 'request', path: 'unknown', status: 404 },
      { msg: 'request', status: 404 },
    ])
    expect(lines()[0]?.reqId).toBe(answer.headers['x-request-id'])
  })

  it('has the canonical address of a caller', async () => {
    const { app, get, lines } = await startLogged({ GATEHOUSE_TRUST_PROXY: '127.0.0.1' })
    for (const path of ['/api/users', '/no-such']) await get(path, { 'x-forwarded-for': '[2001:DB8::1]:50001' })
    expect(lines().map(({ ip }) => ip)).toEqual(['2001:db8::1', '2001:db8::1'])
    await app.listen({ host: '::', port: 0 })
    const { port } = app.server.address() as AddressInfo
    await (await fetch(`http://127.0.0.1:${port}/healthz`)).text()
    await until(() => lines().length === 3, 'the request over the network to be logged')
    expect(lines()[2]).toMatchObject({ path: '/healthz', ip: '127.0.0.1' })
  })

  // asvs: 16.2.5
  it('never contains a secret, a search term or an address from a query', async () => {
    const { t, app, texts } = await startLogged()
    const canary = 'canary-4711'
    const password = `${canary} battery staple`
    const body = {
      email: `${canary}@example.com`,
      username: canary,
      password,
      password_confirmation: password,
      role_id: 2,
    }
    const authorization = `Bearer ${t.adminKey}`
    const send = (method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object | string) =>
      app.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
    await send('POST', '/api/users', { authorization }, body)
    await send('POST', '/api/users', { authorization }, body)
    await send('POST', '/api/users', { authorization, 'content-type': 'application/json' }, `{"password":"${canary}`)
    await send('GET', `/api/users?filter[search]=${canary}&token=${canary}`, { authorization, cookie: `s=${canary}` })
    await send('GET', `/api/users?sort=${canary}`, { authorization })
    await send('GET', '/api/users', { authorization: `Bearer ${canary}` })
    const key = (await send('POST', '/api/api-keys', { authorization }, { name: canary })).json().data.key
    await t.ctx.unguarded.schema.dropTable('user_counts').execute()
    expect((await send('GET', `/api/users?filter[email]=${canary}`, { authorization })).statusCode).toBe(200)
    expect(
      (await send('POST', '/api/users', { authorization }, { ...body, email: 'b@example.com', username: 'b' }))
        .statusCode,
    ).toBe(500)
    const log = texts.join('')
    expect(log.split('"request"').length).toBeGreaterThan(8)
    for (const secret of [canary, t.adminKey, key, 'argon2']) expect(log).not.toContain(secret)
  })

  it('contains no path parameter and no unknown path; nor does /metrics', async () => {
    const { t, app, get, texts } = await startLogged()
    const canary = 'canary-4711-token'
    const { authorization } = { authorization: `Bearer ${t.adminKey}` }
    const patterns = app.routeTable.filter(({ url }) => url.includes(':') || url.includes('*'))
    expect(patterns.length).toBeGreaterThan(60)
    for (const { url, method } of patterns) {
      const path = url.replaceAll(/:\w+|\*/g, canary)
      for (const one of [method].flat()) {
        if (one === 'HEAD' || one === 'OPTIONS') continue
        await app.inject({ method: one as 'GET', url: `${path}?${canary}`, headers: { authorization } })
      }
    }
    for (const path of [
      `/${canary}`,
      `/api/announcements/unsubscribe/${canary}/x`,
      `/api/%zz${canary}`,
      `/api/users/${canary.repeat(20)}`,
    ])
      await get(path)
    const metrics = (await get('/metrics')).body
    expect(metrics).toContain('/api/announcements/unsubscribe/:token')
    expect(texts.length).toBeGreaterThan(100)
    for (const text of [...texts, metrics]) expect(text).not.toContain(canary)
  })

  // asvs: 16.3.4
  it('contains the details of internal errors, and none for refused requests', async () => {
    const { t, get, lines } = await startLogged()
    await get('/api/users?sort=x')
    expect(lines().map((line) => line.msg)).toEqual(['request'])
    await t.ctx.unguarded.schema.alterTable('activity').renameTo('gone').execute()
    const answer = await get('/api/activity')
    const failure = lines().find((line) => line.msg === 'request failed')
    expect(failure).toMatchObject({
      level: 50,
      reqId: answer.headers['x-request-id'],
      err: { stack: expect.stringContaining('activity') },
    })
  })

  // asvs: 16.4.1
  it('has one line per request, whatever control characters it contains', async () => {
    const { get, texts } = await startLogged()
    await get('/api/users/%0d%0a%1b[31m{"level":60}', { 'user-agent': 'a\tb' })
    expect(texts.length).toBe(1)
    expect([...(texts[0] ?? '').trimEnd()].filter((character) => character < ' ')).toEqual([])
  })
})

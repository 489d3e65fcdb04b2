import { describe, expect, inject, it } from 'vitest'
import { type Answer, type CallOptions, createTestApp, type TestApp } from '../testing/app.ts'

const start = (settings: Record<string, string> = {}) =>
  createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: '3/minute', ...settings })

const times = async (
  t: TestApp,
  count: number,
  options: CallOptions = {},
  request = 'GET /users',
): Promise<number[]> => {
  const statuses: number[] = []
  for (let made = 0; made < count; made++) statuses.push((await t.call(request, options)).status)
  return statuses
}

const limitOf = ({ status, headers }: Answer) => ({
  status,
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  retryAfter: headers['retry-after'],
})

describe('the rate limit', () => {
  // asvs: 2.4.1
  it('is shown on every answer, and beyond it everything is 429 until the window ends', async () => {
    const t = await start()
    const requests = ['GET /users', 'GET /users/999', 'POST /users', 'PATCH /users/1', 'GET /countries']
    const answers: Answer[] = []
    for (const request of requests) {
      answers.push(await t.call(request, { body: {} }))
      t.clock.advance({ seconds: 5 })
    }
    expect(answers.map(limitOf)).toEqual([
      { status: 200, limit: '3', remaining: '2', retryAfter: undefined },
      { status: 404, limit: '3', remaining: '1', retryAfter: undefined },
      { status: 422, limit: '3', remaining: '0', retryAfter: undefined },
      { status: 429, limit: '3', remaining: '0', retryAfter: '45' },
      { status: 429, limit: '3', remaining: '0', retryAfter: '40' },
    ])
    expect(answers[3]?.body).toEqual({ message: 'Too Many Attempts.', code: 'too_many_attempts' })
    t.clock.advance({ seconds: 34 })
    expect(limitOf(await t.call('GET /users'))).toMatchObject({ status: 429, retryAfter: '1' })
    t.clock.advance({ seconds: 1 })
    expect(limitOf(await t.call('GET /users'))).toMatchObject({ status: 200, remaining: '2' })
  })

  it.each(['off', '100/minute'])('beside %s, the limit that refuses is the one that is shown', async (rate) => {
    const t = await start({ GATEHOUSE_RATE_LIMIT: rate })
    const guess = () => t.call('POST /login', { key: null, body: { username: 'admin', password: 'wrong' } })
    for (let wrong = 0; wrong < 5; wrong++) expect((await guess()).status).toBe(422)
    expect(limitOf(await guess())).toEqual({ status: 429, limit: '5', remaining: '0', retryAfter: '60' })
  })

  it('changes nothing on a request that it refuses', async () => {
    const t = await start({ GATEHOUSE_RATE_LIMIT: '1/minute' })
    const body = { name: 'Refused' }
    expect(await times(t, 2, {}, 'GET /roles')).toEqual([200, 429])
    expect((await t.call('POST /roles', { body })).status).toBe(429)
    t.clock.advance({ minutes: 1 })
    expect((await t.call('GET /roles')).body.meta.total).toBe(2)
  })

  it('is counted per credential, from any address', async () => {
    const t = await start()
    const [one, two] = [await t.createUser({ role_id: 1 }), await t.createUser({ role_id: 1 })]
    expect(await times(t, 2, { key: one.key, ip: '192.0.2.1' })).toEqual([200, 200])
    expect(await times(t, 2, { key: one.key, ip: '192.0.2.2' })).toEqual([200, 429])
    expect(await times(t, 1, { key: two.key, ip: '192.0.2.1' })).toEqual([200])
    expect(await times(t, 1, { key: null, ip: '192.0.2.1' })).toEqual([401])
  })

  it('is five times as much for a user with many credentials', async () => {
    const t = await start()
    const { user, key } = await t.createUser({ role_id: 1 })
    const keys = [key]
    for (let count = 0; count < 6; count++) {
      t.clock.advance({ minutes: 1 })
      const made = await t.call('POST /api-keys', { key, body: { name: `Key ${count}` } })
      keys.push(made.body.data.key)
    }
    t.clock.advance({ minutes: 1 })
    const statuses: number[] = []
    for (const one of keys) statuses.push(...(await times(t, 3, { key: one }, `GET /users/${user.id}`)))
    expect(statuses.filter((status) => status === 200)).toHaveLength(15)
    expect(statuses.slice(15)).toEqual([429, 429, 429, 429, 429, 429])
    expect(await times(t, 1)).toEqual([200])
  })

  it('is not used up for a user’s other credentials by what one of them is refused', async () => {
    const t = await start()
    const { key } = await t.createUser({ role_id: 1 })
    const { body } = await t.call('POST /api-keys', { key, body: { name: 'Other' } })
    expect(new Set((await times(t, 40, { key })).slice(2))).toEqual(new Set([429]))
    expect(await times(t, 3, { key: body.data.key })).toEqual([200, 200, 200])
  })

  it('is counted per address for anonymous callers, whatever keys and paths they try', async () => {
    const t = await start()
    const ip = '192.0.2.1'
    expect(await times(t, 1, { key: null, ip })).toEqual([401])
    expect(await times(t, 1, { key: `gh_${'A'.repeat(43)}`, ip })).toEqual([401])
    expect(await times(t, 2, { key: 'x', ip }, 'DELETE /users/1')).toEqual([401, 429])
    expect(await times(t, 1, { key: null, ip }, 'DELETE /users')).toEqual([429])
    expect(await times(t, 1, { key: null, ip: '192.0.2.2' })).toEqual([401])
    expect(await times(t, 1, { ip })).toEqual([200])
  })

  it('begins anew when the clock is set back, so that nobody is shut out for longer', async () => {
    const t = await start()
    expect(await times(t, 4)).toEqual([200, 200, 200, 429])
    t.clock.advance({ days: -1 })
    expect(await times(t, 4)).toEqual([200, 200, 200, 429])
    t.clock.advance({ minutes: 1 })
    expect(await times(t, 1)).toEqual([200])
  })

  it('does not apply to health checks', async () => {
    const t = await start({ GATEHOUSE_RATE_LIMIT: '1/day' })
    expect(await times(t, 4, { key: null }, 'GET //healthz')).toEqual([200, 200, 200, 200])
    expect(await times(t, 4, { key: null }, 'GET //readyz')).toEqual([200, 200, 200, 200])
  })

  it.each([
    ['2/second', { seconds: 1 }],
    ['2/minute', { minutes: 1 }],
    ['2/hour', { hours: 1 }],
    ['2/day', { days: 1 }],
  ])('has the configured window: %s', async (rate, window) => {
    const t = await start({ GATEHOUSE_RATE_LIMIT: rate })
    expect(await times(t, 3)).toEqual([200, 200, 429])
    t.clock.advance(window)
    expect(await times(t, 3)).toEqual([200, 200, 429])
  })

  it('can be off', async () => {
    const t = await start({ GATEHOUSE_RATE_LIMIT: 'off' })
    expect(new Set(await times(t, 50))).toEqual(new Set([200]))
    expect(limitOf(await t.call('GET /users'))).toMatchObject({ limit: undefined, remaining: undefined })
  })
})

describe('an IPv6 caller', () => {
  const spend = async (t: TestApp, ips: string[]): Promise<number[]> => {
    const statuses: number[] = []
    for (const ip of ips) statuses.push((await t.call('GET /users', { key: null, ip })).status)
    return statuses
  }

  it('is a whole /64, however its addresses are written', async () => {
    const t = await start()
    const same = [
      '2001:db8:1:2::1',
      '2001:db8:1:2:ffff:ffff:ffff:ffff',
      '2001:0DB8:0001:0002::',
      '2001:db8:1:2:0:0:0:9',
    ]
    expect(await spend(t, same)).toEqual([401, 401, 401, 429])
    expect(await spend(t, ['2001:db8:1:3::1', '2001:db8:2:2::1', '2001:db8:1::2'])).toEqual([401, 401, 401])
  })

  it('is the IPv4 address that it maps', async () => {
    const t = await start()
    expect(await spend(t, ['::ffff:192.0.2.1', '192.0.2.1', '::FFFF:192.0.2.1', '192.0.2.1'])).toEqual([
      401, 401, 401, 429,
    ])
    expect(await spend(t, ['::ffff:192.0.2.2', '::1', '::1'])).toEqual([401, 401, 401])
  })
})

describe('X-Forwarded-For', () => {
  const proxy = '10.0.0.1'
  const from = (forwarded: string, ip: string): CallOptions => ({
    key: null,
    ip,
    headers: { 'x-forwarded-for': forwarded },
  })
  /** What the audit log says of where a change came from. */
  const recordedIp = async (t: TestApp, forwarded: string, ip: string): Promise<string> => {
    await t.call('POST /roles', { body: { name: crypto.randomUUID() }, ip, headers: { 'x-forwarded-for': forwarded } })
    return (await t.call('GET /activity?per_page=1', { ip: '203.0.113.9' })).body.data[0].ip_address
  }

  it('is not trusted from anybody by default', async () => {
    const t = await start()
    for (const spoofed of ['203.0.113.1', '203.0.113.2', '203.0.113.3'])
      await t.call('GET /users', from(spoofed, proxy))
    expect((await t.call('GET /users', from('203.0.113.4', proxy))).status).toBe(429)
    expect(await recordedIp(t, '203.0.113.5', proxy)).toBe(proxy)
  })

  it('is trusted only from a listed proxy', async () => {
    const t = await start({ GATEHOUSE_TRUST_PROXY: `${proxy},192.168.0.0/16`, GATEHOUSE_RATE_LIMIT: 'off' })
    expect(await recordedIp(t, '203.0.113.1', proxy)).toBe('203.0.113.1')
    expect(await recordedIp(t, '203.0.113.1', '192.168.7.7')).toBe('203.0.113.1')
    expect(await recordedIp(t, '203.0.113.1', '10.0.0.2')).toBe('10.0.0.2')
  })

  // asvs: 4.1.3, 15.3.4
  it('is read from the right: what a caller wrote before the proxy is not trusted', async () => {
    const t = await start({ GATEHOUSE_TRUST_PROXY: `${proxy},10.0.0.2`, GATEHOUSE_RATE_LIMIT: 'off' })
    expect(await recordedIp(t, '127.0.0.1, 203.0.113.1', proxy)).toBe('203.0.113.1')
    expect(await recordedIp(t, '10.0.0.2, 203.0.113.1, 10.0.0.2', proxy)).toBe('203.0.113.1')
  })

  it('separates anonymous callers behind one proxy', async () => {
    const t = await start({ GATEHOUSE_TRUST_PROXY: proxy })
    expect(await times(t, 4, from('203.0.113.1', proxy))).toEqual([401, 401, 401, 429])
    expect(await times(t, 1, from('203.0.113.2', proxy))).toEqual([401])
  })

  it('is an address without its port, and what is none is the proxy that wrote it', async () => {
    const t = await start({ GATEHOUSE_TRUST_PROXY: `${proxy},10.0.0.2`, GATEHOUSE_RATE_LIMIT: 'off' })
    const recorded = (forwarded: string) => recordedIp(t, forwarded, proxy)
    expect(await recorded('203.0.113.1:50001')).toBe('203.0.113.1')
    expect(await recorded('[2001:DB8::1]:50001')).toBe('2001:db8::1')
    expect(await recorded('::ffff:cb00:7101')).toBe('203.0.113.1')
    expect(await recorded('203.0.113.1:50001, 10.0.0.2:443')).toBe('203.0.113.1')
    expect(await recorded('203.0.113.1,')).toBe('203.0.113.1')
    for (const wrong of ['unknown', 'garbage0', 'unix', '203.0.113.1, garbage', '203.0.113.1:x', ','])
      expect(await recorded(wrong)).toBe(proxy)
    expect(await recorded('203.0.113.1, garbage, 10.0.0.2')).toBe('10.0.0.2')
  })

  it.each([
    ['another port', (request: number) => `203.0.113.1:${50_000 + request}`],
    ['another invention', (request: number) => `garbage${request}`],
  ])('with %s at each request is one caller', async (_what, forwarded) => {
    const t = await start({ GATEHOUSE_TRUST_PROXY: proxy })
    const statuses: number[] = []
    for (let request = 0; request < 4; request++)
      statuses.push((await t.call('GET /users', from(forwarded(request), proxy))).status)
    expect(statuses).toEqual([401, 401, 401, 429])
  })
})

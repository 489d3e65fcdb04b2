import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sendRaw } from '../../testing/raw-http.ts'
import { createOwner, handleOf, password, sessionsOf, signIn } from './sessions-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const agents: [what: string, agent: string, seen: [browser: string, platform: string, device: string]][] = [
  [
    'Firefox on Linux',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ['Firefox', 'Linux', 'Desktop'],
  ],
  [
    'Chrome on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36',
    ['Chrome', 'Windows', 'Desktop'],
  ],
  [
    'Safari on an iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    ['Safari', 'iOS', 'iPhone'],
  ],
  [
    'Edge on Windows',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    ['Microsoft Edge', 'Windows', 'Desktop'],
  ],
  [
    'Safari on a Mac',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    ['Safari', 'macOS', 'Desktop'],
  ],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36',
    ['Chrome', 'Android', 'Mobile'],
  ],
  [
    'Safari on an iPad',
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    ['Safari', 'iOS', 'iPad'],
  ],
  [
    'Firefox on Android',
    'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
    ['Firefox', 'Android', 'Mobile'],
  ],
  [
    'Opera on Linux',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/137.0.0.0 Safari/537.36 OPR/122.0.0.0',
    ['Opera', 'Linux', 'Desktop'],
  ],
  ['curl', 'curl/8.14.1', ['curl', 'Unknown', 'Unknown']],
  ['an empty one', '', ['Unknown', 'Unknown', 'Unknown']],
  ['10 kB of junk', 'Zq '.repeat(3500), ['Unknown', 'Unknown', 'Unknown']],
]

describe('browser, platform and device are read from the user agent', () => {
  it.each(agents)('%s', async (_, agent, [browser, platform, device]) => {
    const user = await createOwner(t)
    const token = await signIn(t, user, {}, { headers: { 'user-agent': agent } })
    const [session] = (await t.call('GET /me/sessions', { key: token })).body.data
    expect(session).toMatchObject({ browser, platform, device, user_agent: agent.slice(0, 500) })
  })

  it.each([
    ['a line break, which ends the header as in any request', 'curl/8\r\nX-Forged: 1', 200],
    ['a bare line feed', 'curl/8\nX-Forged: 1', 400],
    ['a terminal escape', 'curl/8 \x1b[31mred\x1b[0m', 400],
    ['bytes that are no ASCII', 'Br\u00f6wser/1.0 (X)', 200],
    ['a prototype', '__proto__/1.0 constructor', 200],
  ])('%s, over the wire, never causes a 5xx, and no control character is stored', async (_, agent, status) => {
    const user = await createOwner(t)
    const body = JSON.stringify({ username: user.email, password })
    const head = `POST /api/login HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\nContent-Type: application/json`
    const lines = `${head}\r\nContent-Length: ${body.length}\r\nUser-Agent: ${agent}\r\n\r\n${body}`
    const answer = await sendRaw(t.app, Buffer.from(lines, 'latin1'))
    expect(answer.status).toBe(status)
    for (const { user_agent } of await sessionsOf(t, user.id)) expect(user_agent).not.toMatch(/\p{Cc}/u)
  })

  it('device_name replaces the device', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user, { device_name: " Ada's phone " })
    expect((await t.call('GET /me/sessions', { key: token })).body.data[0].device).toBe("Ada's phone")
    for (const device_name of [null, '']) {
      const other = await signIn(t, user, { device_name }, { headers: { 'user-agent': 'curl/8.14.1' } })
      const { body } = await t.call(`GET /sessions/${await handleOf(t, other)}`)
      expect(body.data.device).toBe('Unknown')
    }
    for (const device_name of [0, true, [], {}, 'x'.repeat(256), 'nul\0']) {
      const { status, body } = await t.call('POST /login', { body: { username: user.email, password, device_name } })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['device_name']])
    }
  })
})

import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { sendRaw } from '../../testing/raw-http.ts'
import { until } from '../../testing/until.ts'
import { readAudit } from '../users/users-test-steps.ts'
import type { Session } from './sessions.schemas.ts'
import { createOwner, handleOf, password, sessionsOf, signIn, statusesOf } from './sessions-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const idsOf = async (request: string, key?: string): Promise<string[]> =>
  (await t.call(request, key === undefined ? {} : { key })).body.data.map(({ id }: Session) => id)

describe("a user's sessions", () => {
  it('are listed newest activity first, for their owner and for users who manage users', async () => {
    const user = await createOwner(t)
    const tokens: string[] = []
    for (let made = 0; made < 3; made++) {
      tokens.push(await signIn(t, user))
      t.clock.advance({ minutes: 2 })
    }
    const [first, second, third] = await Promise.all(tokens.map((token) => handleOf(t, token)))
    expect(await idsOf(`GET /users/${user.id}/sessions`)).toEqual([third, second, first])
    await statusesOf(t, tokens[0] as string)
    await until(async () => (await idsOf(`GET /users/${user.id}/sessions`))[0] === first)
    expect(await idsOf(`GET /users/${user.id}/sessions`)).toEqual([first, third, second])
    expect(await idsOf('GET /me/sessions', tokens[0])).toEqual([first, third, second])
  })

  it('are shown with these fields and no other; the id is not the credential', async () => {
    const user = await createOwner(t)
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const token = await signIn(t, user, {}, { ip: '203.0.113.7', headers: { 'user-agent': agent } })
    const id = await handleOf(t, token)
    const session = {
      id,
      user_id: user.id,
      ip_address: '203.0.113.7',
      user_agent: agent,
      browser: 'Firefox',
      platform: 'Linux',
      device: 'Desktop',
      last_activity: t.clock.now().toISOString().slice(0, 19).replace('T', ' '),
    }
    const { body } = await t.call(`GET /users/${user.id}/sessions`)
    expect(body).toEqual({ data: [session] })
    expect((await t.call(`GET /sessions/${id}`)).body).toEqual({ data: session })
    expect(await statusesOf(t, id, `gs_${id}`, `gs_${id}${id}`.slice(0, 46))).toEqual([401, 401, 401])
  })

  it('include only live ones', async () => {
    const user = await createOwner(t)
    const [ended, idle] = [await signIn(t, user), await signIn(t, user)]
    const [endedId, idleId] = [await handleOf(t, ended), await handleOf(t, idle)]
    await t.call('POST /logout', { key: ended })
    t.clock.advance({ minutes: 119 })
    const alive = await handleOf(t, await signIn(t, user))
    expect(await idsOf(`GET /users/${user.id}/sessions`)).toEqual([alive, idleId])
    t.clock.advance({ minutes: 1 })
    expect(await idsOf(`GET /users/${user.id}/sessions`)).toEqual([alive])
    for (const id of [endedId, idleId]) {
      expect((await t.call(`GET /sessions/${id}`)).status).toBe(404)
      expect((await t.call(`DELETE /sessions/${id}`)).status).toBe(404)
    }
  })

  it('of an unknown user are 404, and of another user 403', async () => {
    const { key } = await t.createUser()
    const user = await createOwner(t)
    expect((await t.call('GET /users/999999/sessions')).status).toBe(404)
    expect((await t.call('DELETE /users/999999/sessions')).status).toBe(404)
    for (const method of ['GET', 'DELETE'])
      expect((await t.call(`${method} /users/${user.id}/sessions`, { key })).status).toBe(403)
  })
})

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

describe('one session', () => {
  // asvs: 8.2.2
  it('can be seen and ended by its owner; for others without users.manage it does not exist', async () => {
    const [user, other] = [await createOwner(t), await createOwner(t)]
    const [own, second, foreign] = [await signIn(t, user), await signIn(t, user), await signIn(t, other)]
    const [id, foreignId] = [await handleOf(t, second), await handleOf(t, foreign)]
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await t.call(`${method} /sessions/${foreignId}`, { key: own })
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    expect((await t.call(`GET /sessions/${id}`, { key: own })).status).toBe(200)
    expect((await t.call(`DELETE /sessions/${id}`, { key: own })).body).toEqual({ success: true })
    expect(await statusesOf(t, own, second, foreign)).toEqual([200, 401, 200])
    expect((await t.call(`GET /sessions/${id}`, { key: own })).status).toBe(404)
  })

  it('can be ended by users who may manage its owner; otherwise it is 403', async () => {
    const { key } = await createHolder(t, ['users.manage'])
    const [user, admin] = [await createOwner(t), await createOwner(t, { role_id: 1 })]
    const [token, above] = [await signIn(t, user), await signIn(t, admin)]
    const [id, aboveId] = [await handleOf(t, token), await handleOf(t, above)]
    expect((await t.call(`GET /sessions/${aboveId}`, { key })).status).toBe(200)
    for (const request of [`DELETE /sessions/${aboveId}`, `DELETE /users/${admin.id}/sessions`]) {
      const { status, body } = await t.call(request, { key })
      expect([status, body.code]).toEqual([403, 'user_above_you'])
    }
    expect((await t.call(`DELETE /sessions/${id}`, { key })).status).toBe(200)
    expect(await statusesOf(t, token, above)).toEqual([401, 200])
  })

  it('ends once, with one audit row, also with parallel requests', async () => {
    const user = await createOwner(t)
    const id = await handleOf(t, await signIn(t, user))
    const answers = await Promise.all(Array.from({ length: 8 }, () => t.call(`DELETE /sessions/${id}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(404)])
    expect((await readAudit(t, user.id)).map(({ event }) => event)).toEqual(['user.signed_in', 'session.ended'])
  })

  it.each(['1', 'gs_x', "' or 1=1 --", '%00', '%2e%2e', 'x'.repeat(200)])('is 404 for %j', async (id) => {
    expect((await t.call(`GET /sessions/${encodeURI(id)}`)).status).toBe(404)
    expect((await t.call(`DELETE /sessions/${encodeURI(id)}`)).status).toBe(404)
  })
})

// asvs: 7.4.5
it('DELETE /users/{id}/sessions ends all of a user, and nobody else', async () => {
  const [user, other] = [await createOwner(t), await createOwner(t)]
  const tokens = [await signIn(t, user), await signIn(t, user), await signIn(t, other)]
  expect((await t.call(`DELETE /users/${user.id}/sessions`)).body).toEqual({ success: true })
  expect(await statusesOf(t, ...tokens)).toEqual([401, 401, 200])
  expect((await readAudit(t, user.id)).at(-1)).toMatchObject({ event: 'user.sessions_ended', actor_id: 1 })
})

describe('POST /logout', () => {
  // asvs: 7.4.1
  it('ends the session on the server: the token is invalid from then on, the other sessions stay', async () => {
    const user = await createOwner(t)
    const [token, other] = [await signIn(t, user), await signIn(t, user)]
    expect((await t.call('POST /logout', { key: token })).body).toEqual({ success: true })
    expect(await statusesOf(t, token, other)).toEqual([401, 200])
    expect((await t.call('POST /logout', { key: token })).status).toBe(401)
    expect(await sessionsOf(t, user.id)).toHaveLength(1)
  })

  it('needs a session: no credential is 401, an API key 403', async () => {
    expect((await t.call('POST /logout', { key: null })).status).toBe(401)
    const { status } = await t.call('POST /logout')
    expect([status, (await t.call('GET /me')).status]).toEqual([403, 200])
  })
})

it('a login token that is truncated, extended or changed in case is 401; the exact one is 200', async () => {
  const user = await createOwner(t)
  const token = await signIn(t, user)
  const letter = [...token].findIndex((character, index) => index > 2 && /[a-z]/.test(character))
  const flipped = token.slice(0, letter) + token.charAt(letter).toUpperCase() + token.slice(letter + 1)
  const bad = [
    token.slice(0, -1),
    token.slice(1),
    `${token}A`,
    `${token}=`,
    token.slice(3),
    flipped,
    token.toUpperCase(),
  ]
  bad.push(`GS_${token.slice(3)}`, `gh_${token.slice(3)}`, '../', '%', "' or '1'='1", 'gs_')
  expect(await statusesOf(t, ...bad)).toEqual(bad.map(() => 401))
  expect(await statusesOf(t, token)).toEqual([200])
})

describe('the sessions of one user', () => {
  it('are at most 50: the next sign-in ends the one that was used longest ago', async () => {
    const user = await createOwner(t)
    await t.call('PATCH /settings', { body: { 'session.max_per_user': 3 } })
    onTestFinished(async () => void (await t.call('PATCH /settings', { body: { 'session.max_per_user': 50 } })))
    const tokens: string[] = []
    for (let count = 0; count < 5; count++) {
      t.clock.advance({ minutes: 2 })
      tokens.push(await signIn(t, user))
    }
    const statuses = await Promise.all(tokens.map(async (key) => (await t.call('GET /me', { key })).status))
    expect(statuses).toEqual([401, 401, 200, 200, 200])
    expect((await t.call(`GET /users/${user.id}/sessions`)).body.data).toHaveLength(3)
    const other = await createOwner(t)
    expect((await t.call('GET /me', { key: await signIn(t, other) })).status).toBe(200)
  })

  it('of one second are in the order of their sign-ins, and the first of them ends', async () => {
    const user = await createOwner(t)
    await t.call('PATCH /settings', { body: { 'session.max_per_user': 4 } })
    onTestFinished(async () => void (await t.call('PATCH /settings', { body: { 'session.max_per_user': 50 } })))
    const tokens: string[] = []
    t.clock.advance({ minutes: 1 })
    for (let count = 0; count < 8; count++) {
      tokens.push(await signIn(t, user))
      t.clock.advance({ seconds: 0.05 })
    }
    const newest = await Promise.all(tokens.slice(4).map((token) => handleOf(t, token)))
    const { data } = (await t.call(`GET /users/${user.id}/sessions`)).body
    expect(data.map(({ id }: { id: string }) => id)).toEqual(newest.toReversed())
  })

  it('are never more, even with parallel sign-ins', async () => {
    const user = await createOwner(t)
    await t.call('PATCH /settings', { body: { 'session.max_per_user': 2 } })
    onTestFinished(async () => void (await t.call('PATCH /settings', { body: { 'session.max_per_user': 50 } })))
    await Promise.all(Array.from({ length: 4 }, () => signIn(t, user)))
    expect((await t.call(`GET /users/${user.id}/sessions`)).body.data).toHaveLength(2)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { until } from '../../testing/until.ts'
import { removeOldSessions } from '../credentials/live-sessions.service.ts'
import { createOwner, login, password, sessionsOf, signIn, statusesOf } from './sessions-test-steps.ts'

/* Logout, a new password, a ban and a deletion end sessions on the server; so do the idle and the absolute timeout. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const next = { password: 'another quiet harbour', password_confirmation: 'another quiet harbour' }

/** Uses a token and waits until the use is recorded. */
async function use(token: string, userId: number): Promise<void> {
  const now = t.clock.now().toISOString().slice(0, 19).replace('T', ' ')
  expect(await statusesOf(t, token)).toEqual([200])
  await until(async () => (await sessionsOf(t, userId)).some(({ last_activity }) => last_activity === now))
}

/** Changes settings for one test. */
async function set(settings: object): Promise<void> {
  const before = (await t.call('GET /settings')).body.data
  const body = Object.fromEntries(Object.keys(settings).map((name) => [name, before[name]]))
  onTestFinished(async () => void (await t.call('PATCH /settings', { body })))
  expect((await t.call('PATCH /settings', { body: settings })).status).toBe(200)
}

describe('a session that is not used', () => {
  // asvs: 7.3.1
  it('ends after two hours, permanently', async () => {
    const token = await signIn(t, await createOwner(t))
    t.clock.advance({ minutes: 119, seconds: 59 })
    const other = await signIn(t, await createOwner(t))
    t.clock.advance({ seconds: 1 })
    expect(await statusesOf(t, token, other)).toEqual([401, 200])
    expect(await statusesOf(t, token)).toEqual([401])
  })

  it('lives as long as it is used', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user)
    for (let hour = 0; hour < 12; hour++) {
      t.clock.advance({ minutes: 110 })
      await use(token, user.id)
    }
  })

  it.each([1, 5, 60])('ends after %i minutes if the setting says so, and not while it is used', async (minutes) => {
    await set({ 'session.idle_minutes': minutes })
    const user = await createOwner(t)
    const token = await signIn(t, user)
    for (let time = 0; time < 4; time++) {
      t.clock.advance({ seconds: minutes * 60 * 0.9 })
      await use(token, user.id)
    }
    t.clock.advance({ minutes })
    expect(await statusesOf(t, token)).toEqual([401])
  })

  it('does not cost a write for each request', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user)
    const [before] = await sessionsOf(t, user.id)
    t.clock.advance({ seconds: 59 })
    for (let time = 0; time < 20; time++) await statusesOf(t, token)
    expect(await sessionsOf(t, user.id)).toEqual([before])
  })
})

describe('a session that is used all the time', () => {
  // asvs: 7.3.2
  it('ends 30 days after it began', async () => {
    await set({ 'session.idle_minutes': 525_600 })
    const user = await createOwner(t)
    const token = await signIn(t, user)
    for (let day = 0; day < 29; day++) {
      t.clock.advance({ days: 1 })
      await use(token, user.id)
    }
    t.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    await use(token, user.id)
    t.clock.advance({ seconds: 1 })
    expect(await statusesOf(t, token)).toEqual([401])
  })

  it('ends earlier if the setting says so', async () => {
    await set({ 'session.absolute_hours': 1 })
    const user = await createOwner(t)
    const token = await signIn(t, user)
    t.clock.advance({ minutes: 59 })
    await use(token, user.id)
    t.clock.advance({ minutes: 1 })
    expect(await statusesOf(t, token)).toEqual([401])
  })
})

it.each([{ 'session.absolute_hours': 1 }, { 'session.idle_minutes': 60 }])(
  'a shorter timeout takes effect at once, for existing sessions and on every node: %j',
  async (settings) => {
    const node = await startNode(t)
    const token = await signIn(t, await createOwner(t))
    for (const app of [t, node]) app.clock.advance({ minutes: 90 })
    const { body } = await t.call('GET /settings')
    expect(body.data).toMatchObject({ 'session.idle_minutes': 120, 'session.absolute_hours': 720 })
    await set(settings)
    expect([await statusesOf(t, token), await statusesOf(node, token)]).toEqual([[401], [401]])
  },
)

it('a longer timeout applies to every session that has not been removed yet', async () => {
  const token = await signIn(t, await createOwner(t))
  t.clock.advance({ minutes: 150 })
  expect(await statusesOf(t, token)).toEqual([401])
  await set({ 'session.idle_minutes': 180 })
  expect(await statusesOf(t, token)).toEqual([200])
})

it('expired sessions are removed, live ones stay', async () => {
  const [gone, kept] = [await createOwner(t), await createOwner(t)]
  await signIn(t, gone)
  t.clock.advance({ minutes: 60 })
  await signIn(t, kept)
  t.clock.advance({ minutes: 60 })
  await removeOldSessions(t.ctx)
  expect([await sessionsOf(t, gone.id), (await sessionsOf(t, kept.id)).length]).toEqual([[], 1])
})

describe('a new password', () => {
  it('that an administrator sets ends every session of the user, and none of the administrator', async () => {
    const [admin, user] = [await createOwner(t, { role_id: 1 }), await createOwner(t)]
    const [own, ...tokens] = [await signIn(t, admin), await signIn(t, user), await signIn(t, user)]
    expect((await t.call(`PATCH /users/${user.id}`, { key: own as string, body: next })).status).toBe(200)
    expect(await statusesOf(t, own as string, ...tokens)).toEqual([200, 401, 401])
    expect((await login(t, user.email)).status).toBe(422)
    expect((await login(t, user.email, { password: next.password })).status).toBe(200)
  })

  // asvs: 7.4.3
  it("of one's own ends the other sessions and keeps the one that it was set from, on both paths", async () => {
    const ways: [role: number, request: (id: number) => string][] = [
      [1, (id) => `PATCH /users/${id}`],
      [2, () => 'PATCH /me/details/auth'],
    ]
    for (const [role_id, request] of ways) {
      const user = await createOwner(t, { role_id })
      const [own, other] = [await signIn(t, user), await signIn(t, user)]
      const body = { ...next, current_password: password }
      expect((await t.call(request(user.id), { key: own, body })).status).toBe(200)
      expect(await statusesOf(t, own, other)).toEqual([200, 401])
    }
  })

  it('that is set by an API key of the user ends every session', async () => {
    const { user, key } = await t.createUser({ role_id: 1, password_hash: (await createOwner(t)).password_hash })
    const token = await signIn(t, user)
    const body = { ...next, current_password: password }
    expect((await t.call(`PATCH /users/${user.id}`, { key, body })).status).toBe(200)
    expect(await statusesOf(t, token, key)).toEqual([401, 200])
  })

  it('that is refused ends none', async () => {
    const user = await createOwner(t)
    const tokens = [await signIn(t, user), await signIn(t, user)]
    const wrong = { ...next, current_password: 'not the password' }
    expect((await t.call('PATCH /me/details/auth', { key: tokens[0] as string, body: wrong })).status).toBe(422)
    expect(await statusesOf(t, ...tokens)).toEqual([200, 200])
  })

  it('by a reset ends every session', async () => {
    const user = await createOwner(t)
    const tokens = [await signIn(t, user), await signIn(t, user)]
    await t.call('POST /password/remind', { key: null, body: { email: user.email } })
    const token = tokenIn(await messageTo(t, user.email, 'reset-password'))
    const reset = await t.call('POST /password/reset', { key: null, body: { token, email: user.email, ...next } })
    expect([reset.status, await statusesOf(t, ...tokens)]).toEqual([200, [401, 401]])
  })
})

describe('the end of the account', () => {
  // asvs: 7.4.2
  it('a ban ends every session on every node with the next request, for good', async () => {
    const node = await startNode(t)
    const user = await createOwner(t)
    const tokens = [await signIn(t, user), await signIn(t, user)]
    expect(await statusesOf(node, ...tokens)).toEqual([200, 200])
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    expect([await statusesOf(node, ...tokens), await statusesOf(t, ...tokens)]).toEqual([
      [401, 401],
      [401, 401],
    ])
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Active' } })
    expect([await statusesOf(t, ...tokens), await sessionsOf(t, user.id)]).toEqual([[401, 401], []])
  })

  // asvs: 7.4.2
  it('a deletion ends every session', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user)
    await t.call(`DELETE /users/${user.id}`)
    expect([await statusesOf(t, token), await sessionsOf(t, user.id)]).toEqual([[401], []])
  })

  it('a session of an account that becomes Unconfirmed reaches nothing in the meantime', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user)
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Unconfirmed' } })
    expect(await statusesOf(t, token)).toEqual([401])
  })
})

describe('a session acts with the role of its user', () => {
  it('as it is now: a change of the role, or of its permissions, takes effect at the next request', async () => {
    const { roleId } = await createHolder(t, ['users.manage'])
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const mayList = async () => (await t.call('GET /users', { key })).status === 200
    const seen = [await mayList()]
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: roleId } })
    seen.push(await mayList())
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
    seen.push(await mayList())
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: 1 } })
    seen.push(await mayList())
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: 2 } })
    seen.push(await mayList())
    expect(seen).toEqual([false, true, false, true, false])
  })

  it('and makes keys for no more than that', async () => {
    const { roleId } = await createHolder(t, ['api-keys.manage'])
    const key = await signIn(t, await createOwner(t, { role_id: roleId }))
    const make = (permissions: string[]) => t.call('POST /api-keys', { key, body: { name: 'Key', permissions } })
    expect([(await make(['users.manage'])).status, (await make(['api-keys.manage'])).status]).toEqual([403, 201])
  })
})

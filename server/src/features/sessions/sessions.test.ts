import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { until } from '../../testing/until.ts'
import { readAudit } from '../users/users-test-steps.ts'
import type { Session } from './sessions.schemas.ts'
import { createOwner, handleOf, sessionsOf, signIn, statusesOf } from './sessions-test-steps.ts'

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

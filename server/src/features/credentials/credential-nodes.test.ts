import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { toTimestamp } from '../../core/time.ts'
import { createHolder } from '../../testing/actors.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { createMigrated, newKey } from '../../testing/server-process.ts'
import { overSocket } from '../../testing/socket.ts'
import { until } from '../../testing/until.ts'
import { createOwner, handleOf, sessionsOf, signIn } from '../sessions/sessions-test-steps.ts'

/* Two nodes on one database, each with its own credential cache: a change made on one takes effect at the next request on both. */

let a: TestApp
let b: TestApp
beforeAll(async () => {
  a = await overSocket(await startTestApp(inject('postgresUrl')))
  b = await overSocket(await startNode(a))
})
afterAll(() => a.close())

const onBoth = async (request: string, key: string): Promise<number[]> => [
  (await b.call(request, { key })).status,
  (await a.call(request, { key })).status,
]

/** Uses a credential on both nodes until both have its holder in the cache. */
async function warmUp(request: string, key: string): Promise<void> {
  for (let times = 0; times < 3; times++) expect(await onBoth(request, key)).toEqual([200, 200])
}

async function change(request: string, body?: unknown): Promise<void> {
  const { status, text } = await a.call(request, body === undefined ? {} : { body })
  expect(status, text).toBeLessThan(300)
}

const later = '2026-01-15 13:00:00'

describe('an API key, on the node that changes it and on another', () => {
  type Holder = Awaited<ReturnType<typeof createHolder>>
  const cases: [name: string, status: number, act: (holder: Holder) => Promise<void>][] = [
    ['is revoked', 401, ({ keyId }) => change(`DELETE /api-keys/${keyId}`)],
    ['is limited', 403, ({ keyId }) => change(`PATCH /api-keys/${keyId}`, { permissions: [] })],
    ['loses its banned owner', 401, ({ user }) => change(`PATCH /users/${user.id}`, { status: 'Banned' })],
    ['loses its unconfirmed owner', 401, ({ user }) => change(`PATCH /users/${user.id}`, { status: 'Unconfirmed' })],
    ['loses its deleted owner', 401, ({ user }) => change(`DELETE /users/${user.id}`)],
    ['has a demoted owner', 403, ({ user }) => change(`PATCH /users/${user.id}`, { role_id: 2 })],
    ['has a narrowed role', 403, ({ roleId }) => change(`PUT /roles/${roleId}/permissions`, { permissions: [] })],
    ['has a deleted role', 403, ({ roleId }) => change(`DELETE /roles/${roleId}`)],
  ]
  it.each(cases)('%s: %i at the next request', async (_name, status, act) => {
    const holder = await createHolder(a, ['users.manage'])
    await warmUp('GET /users?per_page=1', holder.key)
    await act(holder)
    expect(await onBoth('GET /users?per_page=1', holder.key)).toEqual([status, status])
  })

  it('is rotated: the old secret is 401, the new one 200', async () => {
    const { key, keyId } = await createHolder(a, ['users.manage', 'api-keys.manage'])
    await warmUp('GET /me', key)
    const { body } = await a.call(`POST /api-keys/${keyId}/rotate`, { key })
    expect(await onBoth('GET /me', key)).toEqual([401, 401])
    expect(await onBoth('GET /me', body.data.key)).toEqual([200, 200])
  })

  it('expires: 401 from then on, by the clock of each node alone', async () => {
    const { key, keyId } = await createHolder(a, ['users.manage'])
    await warmUp('GET /me', key)
    await change(`PATCH /api-keys/${keyId}`, { expires_at: later })
    await warmUp('GET /me', key)
    for (const { clock } of [a, b]) clock.advance({ minutes: 59, seconds: 59 })
    await warmUp('GET /me', key)
    for (const { clock } of [a, b]) clock.advance({ seconds: 1 })
    expect(await onBoth('GET /me', key)).toEqual([401, 401])
  })

  it('has a role whose permission is deleted, then given back', async () => {
    const { body } = await a.call('POST /permissions', { body: { name: 'nodes.try' } })
    const { key, roleId } = await createHolder(a, ['users.manage', 'nodes.try'])
    await warmUp('GET /users?per_page=1', key)
    await change(`DELETE /permissions/${body.data.id}`)
    await warmUp('GET /users?per_page=1', key)
    await change(`PUT /roles/${roleId}/permissions`, { permissions: ['users.activity'] })
    expect(await onBoth('GET /users?per_page=1', key)).toEqual([403, 403])
    await change(`PUT /roles/${roleId}/permissions`, { permissions: ['users.manage'] })
    expect(await onBoth('GET /users?per_page=1', key)).toEqual([200, 200])
  })
})

// asvs: 7.2.1
describe('a session, on the node that changes it and on another', () => {
  const next = { password: 'another quiet harbour', password_confirmation: 'another quiet harbour' }
  const cases: [name: string, act: (userId: number, token: string) => Promise<void>][] = [
    ['is ended', async (_id, token) => change(`DELETE /sessions/${await handleOf(a, token)}`)],
    ['ends with all others', (id) => change(`DELETE /users/${id}/sessions`)],
    ['ends with a new password', (id) => change(`PATCH /users/${id}`, next)],
    ['ends with a ban', (id) => change(`PATCH /users/${id}`, { status: 'Banned' })],
    ['ends with the account', (id) => change(`DELETE /users/${id}`)],
    ['is signed out', async (_id, key) => expect((await a.call('POST /logout', { key })).status).toBe(200)],
  ]
  it.each(cases)('%s: 401 at the next request', async (_name, act) => {
    const user = await createOwner(a)
    const token = await signIn(a, user)
    await warmUp('GET /me', token)
    await act(user.id, token)
    expect(await onBoth('GET /me', token)).toEqual([401, 401])
  })

  it('that one node keeps alive is alive on the other, which last saw it long ago', async () => {
    const user = await createOwner(a)
    const token = await signIn(a, user)
    await warmUp('GET /me', token)
    for (let hour = 0; hour < 3; hour++) {
      for (const { clock } of [a, b]) clock.advance({ minutes: 110 })
      expect((await a.call('GET /me', { key: token })).status).toBe(200)
      const now = toTimestamp(a.clock.now())
      await until(async () => (await sessionsOf(a, user.id)).some(({ last_activity }) => last_activity === now))
    }
    expect((await b.call('GET /me', { key: token })).status).toBe(200)
  })

  it('ends by a setting that another node has just changed', async () => {
    onTestFinished(() => change('PATCH /settings', { 'session.absolute_hours': 720 }))
    const token = await signIn(a, await createOwner(a))
    for (const { clock } of [a, b]) clock.advance({ minutes: 61 })
    await warmUp('GET /me', token)
    await change('PATCH /settings', { 'session.absolute_hours': 1 })
    expect(await onBoth('GET /me', token)).toEqual([401, 401])
  })
})

describe('a change made outside both nodes', () => {
  it('takes effect: a key that the command line revokes, in another process', async () => {
    const place = await createMigrated(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
    onTestFinished(() => place.remove())
    const server = await place.start()
    const { stdout } = await place.run(['keys', 'create', '--user', '1', '--name', 'x', '--json'])
    const { id, key } = JSON.parse(stdout)
    for (let times = 0; times < 3; times++) expect((await server.call('GET /me', { key })).status).toBe(200)
    expect((await place.run(['keys', 'revoke', String(id)])).code).toBe(0)
    expect((await server.call('GET /me', { key })).status).toBe(401)
  })

  it('takes effect: rows changed by hand', async () => {
    const { key, user } = await createHolder(a, ['users.manage'])
    await warmUp('GET /users?per_page=1', key)
    await a.ctx.unguarded.updateTable('users').set({ role_id: 2 }).where('id', '=', user.id).execute()
    expect(await onBoth('GET /users?per_page=1', key)).toEqual([403, 403])
    await a.ctx.unguarded.deleteFrom('api_keys').where('user_id', '=', user.id).execute()
    expect(await onBoth('GET /users?per_page=1', key)).toEqual([401, 401])
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Answer, createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { wrapTransactions } from '../../testing/transactions.ts'
import type { ActivityRow } from './activity.table.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.createRole('Third', [])
})
afterAll(() => t.close())

const password = 'correct horse battery'
const newUser = { email: 'ada@example.com', password, password_confirmation: password, role_id: 2 }

/** Objects that no other test touches, each by its id. */
async function createObjects(app: TestApp) {
  const unique = Math.random()
  const role = await app.createRole(`Role ${unique}`, ['users.manage'])
  const permission = (await app.call('POST /permissions', { body: { name: `p${unique}` } })).body.data.id as number
  const key = (await app.call('POST /api-keys', { body: { name: 'Key' } })).body.data.id as number
  const { user } = await app.createUser()
  const { user: pending } = await app.createUser({ status: 'Unconfirmed' })
  return { role, permission, key, user: user.id, pending: pending.id }
}
type Objects = Awaited<ReturnType<typeof createObjects>>

/** Every kind of change: its event, the request, and its body and details, if any. */
const changes: [event: string, request: (ids: Objects) => string, body?: object | undefined, details?: object][] = [
  ['user.created', () => 'POST /users', newUser],
  [
    'user.updated',
    ({ user }) => `PATCH /users/${user}`,
    { first_name: 'Ada', phone: '1' },
    { fields: ['first_name', 'phone'] },
  ],
  ['user.password_changed', ({ user }) => `PATCH /users/${user}`, { password, password_confirmation: password }],
  ['user.role_changed', ({ user }) => `PATCH /users/${user}`, { role_id: 3 }, { before: 2, after: 3 }],
  ['user.banned', ({ user }) => `PATCH /users/${user}`, { status: 'Banned' }, { before: 'Active' }],
  ['user.unconfirmed', ({ user }) => `PATCH /users/${user}`, { status: 'Unconfirmed' }, { before: 'Active' }],
  ['user.activated', ({ pending }) => `PATCH /users/${pending}`, { status: 'Active' }, { before: 'Unconfirmed' }],
  ['user.deleted', ({ user }) => `DELETE /users/${user}`],
  ['role.created', () => 'POST /roles', { name: 'Made' }],
  ['role.updated', ({ role }) => `PATCH /roles/${role}`, { description: 'New' }],
  [
    'role.permissions_changed',
    ({ role }) => `PUT /roles/${role}/permissions`,
    { permissions: ['roles.manage'] },
    { before: ['users.manage'], after: ['roles.manage'] },
  ],
  ['role.deleted', ({ role }) => `DELETE /roles/${role}`, undefined, { users_moved: 0 }],
  ['permission.created', () => 'POST /permissions', { name: 'made' }],
  ['permission.updated', ({ permission }) => `PATCH /permissions/${permission}`, { display_name: 'New' }],
  [
    'permission.deleted',
    ({ permission }) => `DELETE /permissions/${permission}`,
    undefined,
    { name: expect.stringMatching(/^p0\./) },
  ],
  ['api_key.created', () => 'POST /api-keys', { name: 'Made' }, { user_id: 1 }],
  ['api_key.updated', ({ key }) => `PATCH /api-keys/${key}`, { name: 'New' }, { fields: ['name'] }],
  ['api_key.rotated', ({ key }) => `POST /api-keys/${key}/rotate`],
  ['api_key.revoked', ({ key }) => `DELETE /api-keys/${key}`, undefined, { user_id: 1 }],
]

const rowsOf = (app: TestApp): Promise<ActivityRow[]> =>
  app.ctx.unguarded.selectFrom('activity').selectAll().orderBy('id').execute()

/** The rows written while `work` ran, and its answer. */
async function rowsDuring(work: () => Promise<Answer>): Promise<[ActivityRow[], Answer]> {
  const before = (await rowsOf(t)).length
  const answer = await work()
  return [(await rowsOf(t)).slice(before), answer]
}

describe('every kind of change', () => {
  it.each(changes)(
    '%s writes exactly one row that says who, what, when and from where',
    async (event, request, body, details) => {
      const line = request(await createObjects(t))
      const origin = { ip: '203.0.113.7', headers: { 'user-agent': 'Mozilla/5.0', 'x-request-id': 'forged' } }
      const [rows, answer] = await rowsDuring(() => t.call(line, { body, ...origin }))
      expect(answer.status).toBeLessThan(300)
      expect(rows).toEqual([
        {
          id: expect.any(Number),
          event,
          actor_id: 1,
          api_key_id: 1,
          created_at: '2026-01-15 12:00:00',
          subject_type: event.split('.')[0],
          subject_id: Number(/\d+/.exec(line)?.[0] ?? answer.body.data.id),
          details: details === undefined ? null : expect.any(String),
          ip_address: origin.ip,
          user_agent: 'Mozilla/5.0',
          request_id: answer.headers['x-request-id'],
        },
      ])
      if (details !== undefined) expect(JSON.parse(rows[0]?.details ?? '')).toEqual(details)
      expect(answer.headers['x-request-id']).not.toBe('forged')
    },
  )

  it('has its own row when one request makes several changes', async () => {
    const { user } = await createObjects(t)
    const body = { last_name: 'X', role_id: 3, status: 'Banned', password, password_confirmation: password }
    const [rows] = await rowsDuring(() => t.call(`PATCH /users/${user}`, { body }))
    const events = ['user.updated', 'user.password_changed', 'user.role_changed', 'user.banned']
    expect(rows.map(({ event }) => event)).toEqual(events)
  })

  it('writes no row where nothing changes', async () => {
    const { user, role, permission, key } = await createObjects(t)
    const idle: [string, object][] = [
      [`PATCH /users/${user}`, { status: 'Active', first_name: null, role_id: 2 }],
      [`PATCH /roles/${role}`, {}],
      [`PUT /roles/${role}/permissions`, { permissions: ['users.manage'] }],
      [`PATCH /permissions/${permission}`, { description: null }],
      [`PATCH /api-keys/${key}`, { name: 'Key', permissions: null, expires_at: null }],
    ]
    for (const [request, body] of idle) {
      const [rows, { status }] = await rowsDuring(() => t.call(request, { body }))
      expect([request, status, rows]).toEqual([request, 200, []])
    }
  })
})

describe('a change that fails writes no row', () => {
  it.each(changes)('%s, refused for lack of permission', async (_, request, body) => {
    const line = request(await createObjects(t))
    const { key } = await t.createUser()
    const [rows, { status }] = await rowsDuring(() => t.call(line, { body, key }))
    expect([status, rows]).toEqual([403, []])
  })

  it.each([
    ['an invalid body', 'POST /roles', { name: '' }, 422],
    ['a taken name', 'POST /permissions', { name: 'users.manage' }, 422],
    ['a missing object', 'DELETE /users/999999', undefined, 404],
    ['a built-in role', 'DELETE /roles/2', undefined, 403],
    ['oneself', 'DELETE /users/1', undefined, 403],
    ['the last administrator', 'PATCH /users/1', { role_id: 2, first_name: 'Gone' }, 403],
    ['an unknown permission', 'PUT /roles/2/permissions', { permissions: ['nope'] }, 422],
  ])('refused because of %s', async (_, request, body, status) => {
    const [rows, answer] = await rowsDuring(() => t.call(request, { body }))
    expect([answer.status, rows]).toEqual([status, []])
  })
})

// asvs: 2.3.3, 16.5.3
describe('the row and the change are one transaction', () => {
  /** Every table except the audit log, without the times of the last use of keys. */
  async function contents(app: TestApp): Promise<unknown[]> {
    const tables = ['users', 'user_counts', 'roles', 'permissions', 'role_permissions', 'api_keys'] as const
    const found = await Promise.all(
      tables.map((table) => sql<object>`select * from ${sql.table(table)}`.execute(app.ctx.unguarded)),
    )
    return found.map(({ rows }) => rows.map((row) => JSON.stringify({ ...row, last_used_at: null })).toSorted())
  }

  it('where the row cannot be written, nothing is changed', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const ids = await createObjects(app)
    const before = await contents(app)
    await sql`alter table activity rename to activity_away`.execute(app.ctx.unguarded)
    for (const [event, request, body] of changes) {
      const { status } = await app.call(request(ids), { body })
      expect([event, status]).toEqual([event, 500])
    }
    expect(await contents(app)).toEqual(before)
    await sql`alter table activity_away rename to activity`.execute(app.ctx.unguarded)
    expect((await app.call('POST /roles', { body: { name: 'Works again' } })).status).toBe(201)
  })

  it('where the change cannot be kept, there is no row', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const ids = await createObjects(app)
    const before = await rowsOf(app)
    wrapTransactions(
      app,
      (transaction) => (actor, work) =>
        transaction(actor, async (tx) => {
          await work(tx)
          throw new Error('The power went off just before the commit.')
        }),
    )
    for (const [event, request, body] of changes) {
      const { status } = await app.call(request(ids), { body })
      expect([event, status]).toEqual([event, 500])
    }
    expect(await rowsOf(app)).toEqual(before)
  })
})

describe('the audit log holds no secret and no personal value', () => {
  it('whatever is created, changed or deleted', async () => {
    const canary = 'Canary-7f3a9'
    const person = { first_name: canary, last_name: canary, username: canary, address: canary, phone: canary }
    const secret = {
      password: `${canary} horse`,
      password_confirmation: `${canary} horse`,
      email: `${canary}@example.com`,
    }
    const { body } = await t.call('POST /users', { body: { ...person, ...secret, role_id: 2, birthday: '1990-12-10' } })
    const { id } = body.data
    await t.call(`PATCH /users/${id}`, { body: { ...secret, email: `${canary}2@example.com`, birthday: '1991-11-11' } })
    const key = (await t.call('POST /api-keys', { body: { name: canary } })).body.data
    const rotated = (await t.call(`POST /api-keys/${key.id}/rotate`)).body.data.key
    await t.call('POST /roles', { body: { name: canary, description: canary } })
    await t.call(`DELETE /users/${id}`)
    const log = JSON.stringify(await rowsOf(t))
    const values = [canary, canary.toLowerCase(), '1990-12-10', '1991-11-11', key.key, rotated, 'argon2']
    expect(values.filter((value) => log.includes(value))).toEqual([])
  })
})

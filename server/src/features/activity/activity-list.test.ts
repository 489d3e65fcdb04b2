import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { concat, fragment, whereAll } from '../../http/lists/fragment.ts'
import { filterConditions } from '../../http/lists/spec.ts'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { planOnSqlite } from '../../testing/query-plan.ts'
import { activityList } from './activity.list.ts'
import type { ActivityRow } from './activity.table.ts'

let t: TestApp
/** A second administrator, who acts two days after the first. */
let second: { id: number; key: string }
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const { user, key } = await t.createUser({ role_id: 1 })
  second = { id: user.id, key }
  const role = await t.createRole('First', ['users.manage'])
  t.clock.advance({ days: 2 })
  await t.call(`PATCH /roles/${role}`, { key, body: { description: 'Second' } })
  await t.call('POST /permissions', { key, body: { name: 'second' } })
  t.clock.advance({ hours: 11, minutes: 59, seconds: 59 })
  await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Second' } })
  t.clock.advance({ seconds: 1 })
  await t.call(`DELETE /roles/${role}`)
})
afterAll(() => t.close())

const list = async (path: string): Promise<ActivityRow[]> => (await t.call(`GET ${path}`)).body.data

describe('GET /activity', () => {
  // asvs: 16.2.1
  it('shows every field, the newest row first', async () => {
    const rows = await list('/activity')
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted((a, b) => b - a))
    expect(rows[0]).toEqual({
      id: expect.any(Number),
      event: 'role.deleted',
      actor_id: 1,
      api_key_id: 1,
      subject_type: 'role',
      subject_id: 3,
      details: { users_moved: 0 },
      ip_address: '127.0.0.1',
      user_agent: 'lightMyRequest',
      request_id: expect.any(String),
      created_at: '2026-01-18 00:00:00',
    })
    expect(rows.at(-1)).toMatchObject({ event: 'user.created', actor_id: null, ip_address: null, request_id: null })
  })

  it('finds what one request has done', async () => {
    const { headers } = await t.call('POST /permissions', { body: { name: 'found' } })
    const id = String(headers['x-request-id'])
    expect(await list(`/activity?filter[request_id]=${id}`)).toMatchObject([
      { event: 'permission.created', request_id: id },
    ])
    expect(await list('/activity?filter[request_id]=unknown')).toEqual([])
  })

  const cases: [query: string, holds: (row: ActivityRow) => boolean][] = [
    ['filter[actor]=1', (row) => row.actor_id === 1],
    ['filter[actor]=2', (row) => row.actor_id === second.id],
    ['filter[actor]=1,2', (row) => row.actor_id !== null],
    ['filter[actor]=999', () => false],
    ['filter[event]=role.created', (row) => row.event === 'role.created'],
    ['filter[event]=role.created,role.deleted', (row) => /^role\.(created|deleted)$/.test(row.event)],
    ['filter[event]=role', () => false],
    ['filter[subject_type]=role', (row) => row.subject_type === 'role'],
    ['filter[subject_type]=user&filter[subject_id]=2', (row) => row.subject_type === 'user' && row.subject_id === 2],
    ['filter[from]=2026-01-17', (row) => row.created_at >= '2026-01-17'],
    ['filter[from]=2026-01-17 23:59:59', (row) => row.created_at >= '2026-01-17 23:59:59'],
    ['filter[to]=2026-01-17', (row) => row.created_at < '2026-01-18'],
    ['filter[to]=2026-01-17 23:59:58', (row) => row.created_at < '2026-01-17 23:59:59'],
    ['filter[from]=2026-01-16&filter[to]=2026-01-17&filter[actor]=1', (row) => row.event === 'user.updated'],
    ['filter[from]=2026-01-19&filter[to]=2026-01-15', () => false],
  ]
  it.each(cases)('%s finds exactly what it says', async (query, holds) => {
    const all = await list('/activity?per_page=100')
    const { body } = await t.call(`GET /activity?per_page=100&${query.replaceAll(' ', '%20')}`)
    expect(body.data).toEqual(all.filter(holds))
    expect(body.meta.total).toBe(body.data.length)
  })

  it.each([
    ['filter[actor]=abc', 422],
    ['filter[subject_id]=01', 422],
    ['filter[from]=yesterday', 422],
    ['filter[to]=2026-02-30', 422],
    ['filter[details]=x', 400],
    ['sort=details', 400],
    ['include=actor', 400],
  ])('%s is refused with %i', async (query, status) => {
    expect((await t.call(`GET /activity?${query}`)).status).toBe(status)
  })
})

describe('GET /users/{id}/activity', () => {
  it('shows what the user did and what was done to them, and nothing else', async () => {
    const all = await list('/activity?per_page=100')
    const theirs = all.filter(
      (row) => row.actor_id === second.id || (row.subject_type === 'user' && row.subject_id === second.id),
    )
    const { body } = await t.call(`GET /users/${second.id}/activity`)
    expect(theirs.map(({ event }) => event)).toEqual(['user.updated', 'permission.created', 'role.updated'])
    expect(body.data).toEqual(theirs)
    expect(body.meta.total).toBe(3)
  })

  it('is filtered within that', async () => {
    const rows = await list(`/users/${second.id}/activity?filter[actor]=1`)
    expect(rows.map(({ event }) => event)).toEqual(['user.updated'])
    expect(await list(`/users/${second.id}/activity?filter[event]=role.deleted`)).toEqual([])
  })

  it.each(['999999', '01', 'abc'])('of user %s is 404', async (id) => {
    expect((await t.call(`GET /users/${id}/activity`)).status).toBe(404)
  })
})

// asvs: 16.4.2
describe('who may read it', () => {
  it.each(['/activity', '/users/1/activity'])('%s needs users.activity', async (path) => {
    const [reader, other] = await Promise.all([createHolder(t, ['users.activity']), createHolder(t, ['users.manage'])])
    const answers = await Promise.all([reader.key, other.key, null].map((key) => t.call(`GET ${path}`, { key })))
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401])
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('cannot be changed with %s', async (method) => {
    expect((await t.call(`${method} /activity`, { body: {} })).status).toBe(405)
  })
})

describe('a hostile user agent is harmless', () => {
  const control = /[\p{Cc}]/u
  const newest = async () =>
    (await t.call('GET /activity?per_page=1')) as { text: string; body: { data: ActivityRow[] } }

  it.each([
    'a\r\nX-Evil: 1\r\n\r\n{"data":[]}',
    '\u001b[2J\u001b]0;owned\u0007',
    '\u009b31m',
    '<script>"\\',
    'é'.repeat(9999),
  ])('case %#: it is stored as data and never returned raw', async (agent) => {
    const answer = await t.call('POST /roles', {
      body: { name: `R${Math.random()}` },
      headers: { 'user-agent': agent },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers).not.toHaveProperty('x-evil')
    const { text: raw, body } = await newest()
    expect(body.data[0]?.user_agent).toBe(agent.slice(0, 500))
    expect(raw.replaceAll('\u009b', '')).not.toMatch(control)
  })

  it.each(['\0', '\u001b[2J', 'a\rb', 'a\r\n folded'])(
    'case %# over a socket: one answer, never a 5xx',
    async (agent) => {
      if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = t.app.server.address() as { port: number }
      const body = JSON.stringify({ name: `S${Math.random()}` })
      const socket = connect(port, '127.0.0.1')
      socket.end(
        `POST /api/roles HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${t.adminKey}\r\nUser-Agent: ${agent}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      )
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 (201|400) /)
      expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
      expect((await newest()).text).not.toMatch(control)
    },
  )
})

it.runIf(inject('postgresUrl') === null)('entries of a day about users are found by the day', async () => {
  const given = [
    ['subject_type', ['user']],
    ['from', ['2026-01-15 00:00:00']],
  ] as const
  const conditions = filterConditions(activityList.filters, given, t.ctx.db)
  const plan = await planOnSqlite(
    t.ctx.unguarded,
    concat(fragment('select count(*) from activity'), whereAll(conditions)),
  )
  expect(plan).toEqual([expect.stringContaining('activity_created (created_at>?)')])
})

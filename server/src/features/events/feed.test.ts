import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import type { EventPayload } from './events.schemas.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const newRole = (name: string, app = t) => app.call('POST /roles', { body: { name } })

/** Everything after a cursor, page by page, and the last cursor. */
async function readAll(app = t, after = '', types = ''): Promise<{ events: EventPayload[]; cursor: string }> {
  await sequenceAll(app.ctx)
  const events: EventPayload[] = []
  for (let cursor = after; ; ) {
    const { status, body } = await app.call(`GET /events?after=${cursor}&types=${types}`)
    expect(status).toBe(200)
    events.push(...body.data)
    cursor = body.meta.next_cursor
    if (body.data.length === 0) return { events, cursor }
  }
}

/** The users that are kept for those who receive events, whether these have a place or wait for one. */
async function usersInEvents(): Promise<string> {
  const placed = await t.ctx.db.selectFrom('activity_chain').select('user').execute()
  const waiting = await t.ctx.db.selectFrom('activity_pending').select('user').execute()
  return JSON.stringify([...placed, ...waiting])
}

describe('GET /events', () => {
  it('gives every event of the log once, oldest first, in pages, and a cursor to go on from', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    for (let at = 0; at < 120; at++) await newRole(`Role ${at}`, app)
    const { events, cursor } = await readAll(app)
    const log = await app.ctx.db.selectFrom('activity').select('id').orderBy('id').execute()
    expect(events.map(({ data }) => data.id)).toEqual(log.map(({ id }) => id))
    await newRole('One more', app)
    expect((await readAll(app, cursor)).events).toEqual([
      {
        type: 'role.created',
        timestamp: '2026-01-15T12:00:00Z',
        data: { id: log.length + 1, actor_id: 1, subject: { type: 'role', id: expect.any(Number) }, details: null },
      },
    ])
  })

  it('with last=n begins with the latest that match, and goes on from there', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    for (let at = 0; at < 5; at++) await newRole(`Role ${at}`, app)
    await app.call('POST /permissions', { body: { name: 'in.between' } })
    const all = (await readAll(app)).events
    const { body } = await app.call('GET /events?last=3&types=role.*')
    expect(body.data).toEqual(all.filter(({ type }) => type.startsWith('role.')).slice(-3))
    expect((await app.call('GET /events?last=100')).body.data).toEqual(all)
    await newRole('Next', app)
    expect((await readAll(app, body.meta.next_cursor)).events).toHaveLength(1)
    const none = await app.call('GET /events?last=5&types=user.banned')
    expect(none.body.data).toEqual([])
    expect((await readAll(app, none.body.meta.next_cursor)).events).toEqual([])
  })

  it('refuses a cursor that lies ahead of the log, as after the restore of an older backup', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    await newRole('Last', app)
    const { cursor } = await readAll(app)
    expect((await app.call(`GET /events?after=${cursor}`)).status).toBe(200)
    await app.ctx.unguarded
      .updateTable('activity_marks')
      .set((eb) => ({ position: eb('position', '-', 1) }))
      .where('name', '=', 'head')
      .execute()
    const { status, body } = await app.call(`GET /events?after=${cursor}&wait=30`)
    expect([status, body.code, body.message]).toEqual([400, 'invalid_cursor', expect.stringContaining('ahead')])
  })

  it.each(['last=0', 'last=101', 'last=x', 'last=-1', 'last=5&after=0.AAAA'])('refuses %s', async (query) => {
    expect((await t.call(`GET /events?${query}`)).status).toBe(400)
  })

  it.each(['after[]=x', 'wait[0]=1', 'types[a]=x', 'filter[type]=x', 'sort=id', 'page=2', 'cursor=1'])(
    'does not ignore %s',
    async (query) => {
      const { status, body } = await t.call(`GET /events?${query}`)
      expect([status, body.message]).toEqual([400, expect.stringContaining(query.split('=')[0] as string)])
    },
  )

  it('has the user as the API showed it after each change, and without it once they are deleted', async () => {
    const { cursor } = await readAll()
    const { body } = await t.call('POST /users', {
      body: {
        email: 'feed@example.com',
        password: 'a fine long password',
        password_confirmation: 'a fine long password',
        role_id: 2,
      },
    })
    const { id } = body.data
    const first = (await t.call(`PATCH /users/${id}`, { body: { first_name: 'Ada', status: 'Banned' } })).body.data
    const second = (await t.call(`PATCH /users/${id}`, { body: { last_name: 'L' } })).body.data
    const { events } = await readAll(t, cursor)
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.updated', 'user.banned', 'user.updated'])
    expect(events.map(({ data }) => data.user)).toEqual([body.data, first, first, second])
    await t.call(`DELETE /users/${id}`)
    const later = (await readAll(t, cursor)).events
    expect(later.map(({ type }) => type)).toEqual([...events.map(({ type }) => type), 'user.deleted'])
    expect(later.filter(({ data }) => 'user' in data)).toEqual([])
    expect(await usersInEvents()).not.toContain('feed@')
  })

  it('keeps nothing of a user who is deleted before their events have a place', async () => {
    const { user } = await t.createUser({ email: 'brief@example.com' })
    const { id } = user
    await t.call(`PATCH /users/${id}`, { body: { first_name: 'Brief' } })
    expect(await usersInEvents()).toContain('brief@')
    await t.call(`DELETE /users/${id}`)
    expect(await usersInEvents()).not.toContain('brief@')
  })

  it.each([
    ['role.created', ['role.created']],
    ['role.*', ['role.created', 'role.deleted']],
    ['permission.created,role.deleted', ['role.deleted', 'permission.created']],
    ['*', ['role.created', 'role.deleted', 'permission.created']],
  ])('with types=%s gives these alone', async (types, expected) => {
    const { cursor } = await readAll()
    const { body } = await newRole(`Types ${types}`)
    await t.call(`DELETE /roles/${body.data.id}`)
    await t.call('POST /permissions', { body: { name: `types.${expected.length}${types.length}` } })
    const { events, cursor: last } = await readAll(t, cursor, types)
    expect(events.map(({ type }) => type)).toEqual(expected)
    expect((await readAll(t, last)).events).toEqual([])
  })

  it.each([
    ['types=nothing.happened', 400, 'unknown_event_type'],
    ['types=nothing.*', 400, 'unknown_event_type'],
    ['after=12', 400, 'invalid_cursor'],
    ['after=1.abc', 400, 'invalid_cursor'],
    ['wait=abc', 400, 'malformed_request'],
    ['wait=-1', 400, 'malformed_request'],
    ['include=user', 400, 'unknown_include'],
  ])('%s is refused with %i %s', async (query, status, code) => {
    const answer = await t.call(`GET /events?${query}`)
    expect([answer.status, answer.body.code]).toEqual([status, code])
  })

  it('needs events.read, and shows users with that alone', async () => {
    const [reader, other] = await Promise.all([createHolder(t, ['events.read']), createHolder(t, ['users.manage'])])
    const answers = await Promise.all([reader.key, other.key, null].map((key) => t.call('GET /events', { key })))
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 401])
    const { body } = await t.call('GET /events?types=user.created', { key: reader.key })
    expect(body.data[0].data.user).toMatchObject({ id: 1, email: 'admin@example.com' })
  })
})

describe('a reader who waits', () => {
  it('hears of the next event that it asked for, which another node put in order', async () => {
    const other = await startNode(t)
    const { cursor } = await readAll()
    const waiting = t.call(`GET /events?after=${cursor}&types=role.deleted&wait=30`)
    const { body } = await newRole('Waited for')
    await sequenceAll(other.ctx)
    await t.call(`DELETE /roles/${body.data.id}`)
    await sequenceAll(other.ctx)
    const answer = await waiting
    expect(answer.body.data).toMatchObject([{ type: 'role.deleted', data: { subject: { id: body.data.id } } }])
    expect((await readAll(t, answer.body.meta.next_cursor)).events).toEqual([])
  })

  it('gets no event and a cursor when the time is up', async () => {
    const { cursor } = await readAll()
    const { status, body } = await t.call(`GET /events?after=${cursor}&wait=1`)
    expect([status, body]).toEqual([200, { data: [], meta: { next_cursor: cursor, cursors: [] } }])
  })

  it('costs no query of its own: a thousand who wait are told by one', async () => {
    const { cursor } = await readAll()
    const waiting = Array.from({ length: 1_000 }, () => t.call(`GET /events?after=${cursor}&wait=30`))
    await new Promise((resolve) => setImmediate(resolve))
    let reads = 0
    const { db } = t.ctx
    const direct = db as unknown as { direct: { read: (query: { sql: string }) => unknown } }
    const { read } = direct.direct
    direct.direct.read = (query) => {
      if (query.sql.includes('activity_chain')) reads++
      return read(query)
    }
    await newRole('For a thousand')
    await sequenceAll(t.ctx)
    const answers = await Promise.all(waiting)
    direct.direct.read = read
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(answers[0]?.body.data).toMatchObject([{ type: 'role.created' }])
    expect(reads).toBeLessThan(20)
  })

  it('is answered at once when the server stops', async () => {
    const app = await startTestApp(inject('postgresUrl'))
    const { cursor } = await readAll(app)
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const waiting = fetch(
      `http://127.0.0.1:${(app.app.server.address() as { port: number }).port}/api/events?after=${cursor}&wait=30`,
      {
        headers: { authorization: `Bearer ${app.adminKey}` },
      },
    )
    await expect.poll(() => promisify(app.app.server.getConnections.bind(app.app.server))()).toBe(1)
    const begun = performance.now()
    await app.close()
    expect((await waiting).status).toBe(200)
    expect(performance.now() - begun).toBeLessThan(5_000)
  })

  it('whose credential ended meanwhile hears nothing', async () => {
    const { key, keyId } = await createHolder(t, ['events.read'])
    const { cursor } = await readAll()
    const waiting = t.call(`GET /events?after=${cursor}&types=permission.created&wait=2`, { key })
    await t.call(`DELETE /api-keys/${keyId}`)
    expect((await waiting).status).toBe(401)
  })

  it('whose credential has just ended does not hear what happened after that', async () => {
    const { key, keyId } = await createHolder(t, ['events.read'])
    const { cursor } = await readAll()
    const waiting = t.call(`GET /events?after=${cursor}&types=role.created&wait=20`, { key })
    await t.call(`DELETE /api-keys/${keyId}`)
    await newRole('After the key')
    await sequenceAll(t.ctx)
    expect((await waiting).status).toBe(401)
  })

  it.each([
    ['forbidden', (role: number) => t.call(`PUT /roles/${role}/permissions`, { body: { permissions: [] } })],
    [
      'two_factor_enrolment_required',
      (role: number) => t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } }),
    ],
  ])('whose rights ended meanwhile hears %s', async (code, end) => {
    const { user, key } = await createHolder(t, ['events.read'])
    const { cursor } = await readAll()
    const waiting = t.call(`GET /events?after=${cursor}&types=permission.created&wait=2`, { key })
    await end(user.role_id)
    const { status, body } = await waiting
    expect([status, body.code]).toEqual([403, code])
  })
})

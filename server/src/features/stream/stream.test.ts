import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { eventsOf, listen, namesIn, recordMany, until } from './stream-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** A job that nobody runs. */
async function newJob({ ctx }: TestApp): Promise<number> {
  const { id } = await ctx.unguarded
    .insertInto('jobs')
    .values({
      type: 'users.bulk',
      status: 'failed',
      dry_run: 0,
      options: '{}',
      held: '[]',
      scope: '[]',
      created_at: '2026-01-01 00:00:00',
      changed_ms: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

describe('GET /me/stream', () => {
  it('is an event stream that sends an administrator every event with its actor', async () => {
    const stream = await listen(t, t.adminKey)
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(stream.headers['cache-control']).toBe('no-store')
    await until(stream, 'ready')
    const { user } = await t.createUser()
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    await until(stream, 'user.banned')
    const banned = eventsOf(stream.text()).find(({ event }) => event === 'user.banned')
    expect(banned?.data).toEqual({
      id: banned?.id,
      event: 'user.banned',
      subject: { type: 'user', id: user.id },
      actor_id: 1,
      created_at: expect.any(String),
    })
  })

  it('sends others only what concerns them and what plugins announce to everybody', async () => {
    const { user, key } = await t.createUser()
    const stream = await listen(t, key)
    await until(stream, 'ready')
    await t.call('POST /roles', { body: { name: 'Not their business' } })
    const other = await t.createUser()
    await t.call(`PATCH /users/${other.user.id}`, { body: { first_name: 'Other' } })
    await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Own' } })
    await t.call('POST /announcements', { body: { title: 'News', body: 'News' } })
    await until(stream, 'announcement.created')
    expect(namesIn(stream)).toEqual(['ready', 'user.updated', 'announcement.created'])
    expect(eventsOf(stream.text()).slice(1)).toMatchObject([
      { data: { subject: { type: 'user', id: user.id }, actor_id: null } },
      { data: { subject: { type: 'announcement' }, actor_id: null } },
    ])
  })

  it.each(['text/event-stream;q=0, */*', 'application/json, text/event-stream;q=0.5', 'application/json, */*'])(
    'answers with JSON where the caller prefers it: Accept: %s',
    async (accept) => {
      expect((await t.call('GET /me/stream', { headers: { accept } })).body.meta.reset).toBe(false)
    },
  )

  it('sends others what happens to their own role, also where they ask for JSON', async () => {
    const roleId = await t.createRole('Readers', ['users.manage'])
    const { key } = await t.createUser({ role_id: roleId })
    const other = await t.createRole('Others', ['users.manage'])
    const accept = { accept: 'application/json' }
    const { last_event_id } = (await t.call('GET /me/stream', { key, headers: accept })).body.meta
    const stream = await listen(t, key)
    await until(stream, 'ready')
    await t.call(`PUT /roles/${other}/permissions`, { body: { permissions: [] } })
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
    await until(stream, 'role.permissions_changed')
    expect(eventsOf(stream.text()).slice(1)).toMatchObject([
      { event: 'role.permissions_changed', data: { subject: { type: 'role', id: roleId }, actor_id: null } },
    ])
    const { body } = await t.call('GET /me/stream', { key, headers: { ...accept, 'last-event-id': last_event_id } })
    expect(body.data).toMatchObject([{ event: 'role.permissions_changed', subject: { type: 'role', id: roleId } }])
    await t.call(`DELETE /roles/${roleId}`)
    await until(stream, 'role.deleted')
  })

  it('tells of a deleted role also whoever had it and was away then', async () => {
    const roleId = await t.createRole('Gone', ['users.manage'])
    const { key } = await t.createUser({ role_id: roleId })
    const stream = await listen(t, key)
    await until(stream, 'ready')
    stream.request.destroy()
    const [ready] = eventsOf(stream.text())
    await t.call(`DELETE /roles/${roleId}`)
    const headers = { 'last-event-id': String(ready?.id) }
    const again = await listen(t, key, headers)
    await until(again, 'role.deleted')
    const { body } = await t.call('GET /me/stream', { key, headers: { ...headers, accept: 'application/json' } })
    const gone = { event: 'role.deleted', subject: { type: 'role', id: roleId }, actor_id: null }
    expect(body.data).toMatchObject([gone])
  })

  it('continues after Last-Event-ID with what was missed', async () => {
    const stream = await listen(t, t.adminKey)
    await until(stream, 'ready')
    await t.call('POST /roles', { body: { name: 'Before' } })
    await until(stream, 'role.created')
    stream.request.destroy()
    const [last] = eventsOf(stream.text()).filter(({ event }) => event === 'role.created')
    await t.call('POST /permissions', { body: { name: 'missed.one' } })
    const again = await listen(t, t.adminKey, { 'last-event-id': String(last?.id) })
    await until(again, 'permission.created')
    expect(namesIn(again)).not.toContain('role.created')
  })

  it('tells the client to reload if too much was missed', async () => {
    const before = (await t.call('GET /me/stream', { headers: { accept: 'application/json' } })).body.meta.last_event_id
    await recordMany(t, 1_001)
    const stream = await listen(t, t.adminKey, { 'last-event-id': String(before) })
    await until(stream, 'reset')
    const { body } = await t.call('GET /me/stream', { headers: { 'last-event-id': String(before) } })
    expect([body.data, body.meta.reset, body.meta.last_event_id > before]).toEqual([[], true, true])
  })

  it.each(['x', '-1', '01', '1e3', '9999999999999999'])('is 400 with Last-Event-ID %j', async (id) => {
    const { status, body } = await t.call('GET /me/stream', { headers: { 'last-event-id': id } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('Last-Event-ID')])
  })

  it('misses no event that is committed after many later ones', async () => {
    if (inject('postgresUrl') === null) return // SQLite has one writer: nothing is committed late
    const stream = await listen(t, t.adminKey)
    await until(stream, 'ready')
    const accept = { accept: 'application/json' }
    const { last_event_id } = (await t.call('GET /me/stream', { headers: accept })).body.meta
    const [written, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = t.ctx.transaction(systemActor, async (tx) => {
      await recordActivity(tx, tx.actor, 'role.deleted', { type: 'role', id: 99 }, { users_moved: 0 })
      await tx.db.selectFrom('activity').select('id').limit(1).execute()
      written.resolve()
      await commit.promise
    })
    await written.promise
    await recordMany(t, 300)
    await t.call('POST /roles', { body: { name: 'Committed early' } })
    await until(stream, 'role.created')
    const headers = (id: number) => ({ ...accept, 'last-event-id': String(id) })
    const before = (await t.call('GET /me/stream', { headers: headers(last_event_id) })).body
    commit.resolve()
    await late
    await until(stream, 'role.deleted')
    const after = (await t.call('GET /me/stream', { headers: headers(before.meta.last_event_id) })).body
    expect(after.data).toMatchObject([{ event: 'role.deleted' }])
  })

  it('tells of every job, whatever the clock of its node says', async () => {
    const jobs = await Promise.all([1, 2].map(() => newJob(t)))
    const stream = await listen(t, t.adminKey)
    await until(stream, 'ready')
    const now = t.clock.now().getTime()
    for (const [id, ahead] of [
      [jobs[0], 5_000],
      [jobs[1], 1_000],
    ] as const) {
      const changes = { done: id, changed_ms: now + ahead }
      await t.ctx.unguarded
        .updateTable('jobs')
        .set(changes)
        .where('id', '=', id as number)
        .execute()
      await expect.poll(() => stream.text()).toContain(`"done":${id},`)
    }
  })

  it('reports what another node did', async () => {
    const other = await startNode(t)
    const stream = await listen(other, t.adminKey)
    await until(stream, 'ready')
    await t.call('POST /roles', { body: { name: 'On the first node' } })
    await until(stream, 'role.created')
  })

  it('answers JSON to clients that ask for it: what happened since', async () => {
    const accept = { accept: 'application/json' }
    const first = await t.call('GET /me/stream', { headers: accept })
    expect(first.body.data).toEqual([])
    await t.call('POST /roles', { body: { name: 'Polled' } })
    const id = String(first.body.meta.last_event_id)
    const { body } = await t.call('GET /me/stream', { headers: { ...accept, 'last-event-id': id } })
    expect(body.data).toMatchObject([{ event: 'role.created' }])
    expect(body.meta).toEqual({ last_event_id: body.data[0].id, reset: false })
  })

  it('needs a credential, and does not stream for HEAD', async () => {
    expect((await t.call('GET /me/stream', { key: null })).status).toBe(401)
    expect((await t.call('HEAD /me/stream', { headers: { accept: 'text/event-stream' } })).status).toBe(200)
  })
})

import { type ClientRequest, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { toTimestamp } from '../../core/time.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { sendFile } from '../../testing/jobs.ts'
import { createOwner, handleOf, signIn } from '../sessions/sessions-test-steps.ts'
import { listen, namesIn, until } from './stream-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

describe('a stream of GET /me/stream', () => {
  it('ends with an event when the session ends', async () => {
    const owner = await createOwner(t)
    const key = await signIn(t, owner)
    const stream = await listen(t, key)
    await until(stream, 'ready')
    await t.call(`DELETE /sessions/${await handleOf(t, key)}`)
    await until(stream, 'signed_out')
    await expect.poll(stream.isOver).toBe(true)
  })

  it('ends when the user is banned, and follows changes of permissions', async () => {
    const roleId = await t.createRole('Watcher', ['users.activity'])
    const { user, key } = await t.createUser({ role_id: roleId })
    const stream = await listen(t, key)
    await until(stream, 'ready')
    await t.call('POST /permissions', { body: { name: 'seen.one' } })
    await until(stream, 'permission.created')
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
    await until(stream, 'role.permissions_changed')
    await t.call('POST /roles', { body: { name: 'Unseen' } })
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    await until(stream, 'signed_out')
    expect(namesIn(stream)).not.toContain('role.created')
  })

  it('tells nothing of what happened after a permission was taken away', async () => {
    const roleId = await t.createRole('Former watcher', ['users.activity'])
    const { key } = await t.createUser({ role_id: roleId })
    const stream = await listen(t, key)
    await until(stream, 'ready')
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
    await t.call('POST /roles', { body: { name: 'Unseen, too' } })
    await until(stream, 'role.permissions_changed')
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: ['users.activity'] } })
    await expect.poll(() => namesIn(stream).filter((name) => name === 'role.permissions_changed').length).toBe(2)
    expect(namesIn(stream)).not.toContain('role.created')
  })

  it('ends within a poll when its credential expires, and tells nothing of what happened after that', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const expires_at = toTimestamp(new Date(app.clock.now().getTime() + 10_000))
    const { body } = await app.call('POST /api-keys', { body: { name: 'Short', expires_at } })
    const stream = await listen(app, body.data.key)
    await until(stream, 'ready')
    app.clock.advance({ seconds: 11 })
    await app.call('POST /roles', { body: { name: 'Unseen' } })
    await until(stream, 'signed_out')
    expect(namesIn(stream)).not.toContain('role.created')
  })

  it('does not keep a session from expiring', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const key = await signIn(app, await createOwner(app))
    const stream = await listen(app, key)
    await until(stream, 'ready')
    for (let minutes = 0; minutes < 120; minutes += 40) app.clock.advance({ minutes: 41 })
    await until(stream, 'signed_out')
  })

  it('can be open at most ten times for a user', async () => {
    const { key } = await t.createUser()
    const open = await Promise.all(Array.from({ length: 10 }, () => listen(t, key)))
    expect(open.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
    for (const stream of open) await until(stream, 'ready')
    const one = await listen(t, key)
    expect([one.status, one.headers['retry-after']]).toEqual([429, '30'])
    open[0]?.request.destroy()
    await expect.poll(async () => (await listen(t, key)).status).toBe(200)
  })

  it('can be open at most ten times for a user who opens many at once', async () => {
    const { key } = await t.createUser()
    const opened = await Promise.all(Array.from({ length: 40 }, () => listen(t, key)))
    expect(opened.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  it('gives its place back where it could not begin', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const { key } = await app.createUser()
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(app.ctx.unguarded)
    await rename('activity_marks', 'away')
    for (let count = 0; count < 12; count++) {
      const stream = await listen(app, key)
      expect(stream.status).toBe(200) // it fails later
      await expect.poll(stream.isOver).toBe(true)
      expect(stream.text()).toBe('')
    }
    await rename('away', 'activity_marks')
    await until(await listen(app, key), 'ready')
  })

  it('does not count who left before the stream began', async () => {
    if (inject('postgresUrl') === null) return // SQLite answers at once
    const { key } = await t.createUser()
    const first = await listen(t, key)
    await until(first, 'ready')
    const leaving: ClientRequest[] = []
    await t.ctx.unguarded.transaction().execute(async (db) => {
      await sql`lock table activity, activity_marks in access exclusive mode`.execute(db)
      const { port } = t.app.server.address() as AddressInfo
      const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
      for (let count = 0; count < 9; count++) {
        const request = get({ port, host: '127.0.0.1', path: '/api/me/stream', headers })
        leaving.push(request.on('error', () => {}))
      }
      await pause(300) // until all of them wait for the database
      await Promise.all(leaving.map((request) => new Promise((closed) => request.on('close', closed).destroy())))
      await pause(100) // until the server has noticed
    })
    await expect.poll(async () => (await listen(t, key)).status).toBe(200)
  })

  it('sends heartbeats', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const stream = await listen(app, app.adminKey)
    await until(stream, 'ready')
    app.clock.advance({ seconds: 16 })
    await expect.poll(() => stream.text()).toContain(': still here')
  })

  it('goes on to send heartbeats and to tell of jobs after the clock was set back', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const stream = await listen(app, app.adminKey)
    await until(stream, 'ready')
    app.clock.advance({ hours: -1 })
    await sendFile(app, 'username,email\nada,ada@example.com\n')
    await until(stream, 'job')
    await expect.poll(() => stream.text()).toContain(': still here')
  })

  it('ends when the server stops, which does not wait for streams', async () => {
    const app = await startTestApp(inject('postgresUrl'))
    const stream = await listen(app, app.adminKey)
    await until(stream, 'ready')
    const before = performance.now()
    await app.close()
    expect(performance.now() - before).toBeLessThan(4_000)
    await expect.poll(stream.isOver).toBe(true)
    expect(stream.text()).not.toContain('signed_out')
  })

  it('queries the database once a second for all clients', async () => {
    const { db } = t.ctx
    let asked = 0
    const selectFrom = db.selectFrom.bind(db)
    const streams = await Promise.all(Array.from({ length: 5 }, () => listen(t, t.adminKey)))
    for (const stream of streams) await until(stream, 'ready')
    Object.assign(db, {
      selectFrom: (table: never) => {
        if (table === 'activity_chain as c') asked++
        return selectFrom(table)
      },
    })
    const before = performance.now()
    await t.call('POST /roles', { body: { name: 'For all' } })
    for (const stream of streams) await until(stream, 'role.created')
    const seconds = (performance.now() - before) / 1000
    Object.assign(db, { selectFrom })
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThanOrEqual(seconds + 2)
  })
})

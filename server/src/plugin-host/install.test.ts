import type { Event } from '@gatehouse/plugin-kit'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { systemActor } from '../core/context.ts'
import { migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { createTestDatabase, type TestDatabase } from '../testing/databases.ts'
import { runJobs } from '../testing/jobs.ts'
import { installPlugins } from './install.ts'
import type { LoadedPlugin } from './load.ts'
import { loadedNotes, notes } from './notes.fixture.ts'
import { findPlugins, getRemovable, removePlugin } from './remove.ts'

const newDatabase = async (): Promise<TestDatabase> => {
  const database = await createTestDatabase(inject('postgresUrl'))
  onTestFinished(database.remove)
  return database
}

/** Starts the service on the same database while `work` runs. */
async function within<T>(
  database: TestDatabase,
  plugins: LoadedPlugin[],
  work: (t: TestApp) => Promise<T>,
): Promise<T> {
  const t = await startTestApp(null, {}, { database, plugins })
  try {
    return await work(t)
  } finally {
    await t.close()
  }
}

const namesOf = async (t: TestApp, path: string): Promise<string[]> =>
  (await t.call(`GET ${path}?per_page=100`)).body.data.map(({ name }: { name: string }) => name)

describe('a plugin that is not listed any more', () => {
  it('takes its permission with it, and gets it back with the roles that had it', async () => {
    const database = await newDatabase()
    const before = await within(database, [loadedNotes()], async (t) => {
      const role = await t.createRole('Clerk', ['notes.write', 'users.activity'])
      await t.call('POST /notes', { body: { text: 'Kept' } })
      await t.call('PATCH /settings', { body: { 'notes.max_length': 7 } })
      const [own] = (await t.call('GET /permissions?filter[name]=notes.write')).body.data
      t.clock.advance({ seconds: 1 })
      await t.call(`PATCH /permissions/${own.id}`, { body: { display_name: 'Scribble' } })
      return { role, permission: (await t.call(`GET /permissions/${own.id}`)).body.data }
    })
    for (let again = 0; again < 2; again++) {
      await within(database, [], async (t) => {
        expect(await namesOf(t, '/permissions')).not.toContain('notes.write')
        expect(await namesOf(t, `/roles/${before.role}/permissions`)).toEqual(['users.activity'])
        expect((await t.call('GET /settings')).text).not.toContain('notes.')
        const { status } = await t.call('PATCH /settings', { body: { 'notes.max_length': 9 } })
        expect(status).toBe(200)
        for (const path of ['/notes', '/notes/1', '/notes/page/x'])
          for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS'])
            expect((await t.call(`${method} ${path}`)).status).toBe(404)
      })
    }
    await within(database, [loadedNotes()], async (t) => {
      expect(await namesOf(t, `/roles/${before.role}/permissions`)).toEqual(['users.activity', 'notes.write'])
      expect((await t.call(`GET /permissions/${before.permission.id}`)).body.data).toEqual(before.permission)
      expect((await t.call('GET /notes')).body.data).toMatchObject([{ text: 'Kept' }])
      expect((await t.call('GET /settings')).body.data['notes.max_length']).toBe(7)
    })
  })

  it('is forgotten completely once its data is removed, even after an interrupted removal', async () => {
    const database = await newDatabase()
    await within(database, [loadedNotes()], async (t) => {
      await t.call('PATCH /settings', { body: { 'notes.max_length': 7 } })
      await expect(getRemovable(t.ctx, 'notes')).rejects.toThrow('listed')
    })
    await within(database, [], async (t) => {
      const row = await getRemovable(t.ctx, 'notes')
      const cut = { ...t.ctx, transaction: async () => Promise.reject(new Error('killed')) }
      await expect(removePlugin(cut, row, loadedNotes())).rejects.toThrow('killed')
      expect(await findPlugins(t.ctx)).toContainEqual(expect.objectContaining({ id: 'notes', listed: false }))
      await removePlugin(t.ctx, await getRemovable(t.ctx, 'notes'), loadedNotes())
      await expect(getRemovable(t.ctx, 'notes')).rejects.toThrow('nothing of a plugin "notes"')
      const tables = await t.ctx.unguarded.introspection.getTables({ withInternalKyselyTables: true })
      expect(tables.filter(({ name }) => name.includes('notes'))).toEqual([])
      const { rows } = await sql`select name from settings where name like 'notes.%'`.execute(t.ctx.unguarded)
      expect(rows).toEqual([])
    })
    await within(database, [loadedNotes()], async (t) => {
      expect((await t.call('GET /settings')).body.data['notes.max_length']).toBe(20)
      expect((await t.call('POST /notes', { body: { text: 'New' } })).body.data.id).toBe(1)
    })
  })
})

describe('a start', () => {
  it('takes over new words of a permission, unless an administrator has written others', async () => {
    const database = await newDatabase()
    const find = async (t: TestApp) => (await t.call('GET /permissions?filter[name]=notes.write')).body.data[0]
    const [own] = notes.permissions ?? []
    const worded = (display_name: string, description: string): LoadedPlugin[] => [
      loadedNotes({ ...notes, permissions: [{ name: 'notes.write', display_name, description }] }),
    ]
    const before = await within(database, [loadedNotes()], find)
    expect(before).toMatchObject({ display_name: own?.display_name, description: own?.description })
    expect(await within(database, worded('Write', 'Write notes, and delete them.'), find)).toEqual({
      ...before,
      display_name: 'Write',
      description: 'Write notes, and delete them.',
    })
    await within(database, [], async () => {}) // meanwhile it is not listed
    await within(database, worded('Scribble', 'Or draw.'), async (t) => {
      expect(await find(t)).toMatchObject({ display_name: 'Scribble', description: 'Or draw.' })
      t.clock.advance({ seconds: 1 })
      await t.call(`PATCH /permissions/${before.id}`, { body: { description: 'Ask Ada first.' } })
    })
    const kept = { display_name: 'Scribble', description: 'Ask Ada first.' }
    expect(await within(database, worded('Write', 'Write notes.'), find)).toMatchObject(kept)
    await within(database, [], async () => {})
    expect(await within(database, worded('Write', 'Write notes.'), find)).toMatchObject(kept)
  })

  it('refuses a permission that already exists', async () => {
    const database = await newDatabase()
    await within(database, [], (t) => t.call('POST /permissions', { body: { name: 'notes.write' } }))
    await expect(within(database, [loadedNotes()], async () => {})).rejects.toThrow(
      /^GATEHOUSE_PLUGINS: \.\/notes: there is a permission "notes.write" already/,
    )
  })

  it('refuses data of a newer version of the plugin', async () => {
    const database = await newDatabase()
    const initial = notes.migrations?.['0001-initial']
    const next = { up: async () => {}, down: async () => {} }
    if (initial === undefined) throw new Error('the fixture has no migration')
    const newer = { ...notes, migrations: { '0001-initial': initial, '0002-next': next } }
    await within(database, [loadedNotes(newer)], async () => {})
    await expect(within(database, [loadedNotes()], async () => {})).rejects.toThrow(/newer version.*0002-next/)
  })

  it('says in one line which migration failed and why, and rolls it back', async () => {
    const database = await newDatabase()
    const up = async () => Promise.reject(new Error('no\nspace'))
    const broken = { ...notes, migrations: { ...notes.migrations, '0002-bad': { up, down: up } } }
    await expect(within(database, [loadedNotes(broken)], async () => {})).rejects.toThrow(
      /^GATEHOUSE_PLUGINS: \.\/notes: its migration 0002-bad failed: no space$/,
    )
    await within(database, [loadedNotes()], async (t) => expect((await t.call('GET /notes')).status).toBe(200))
  })

  // Within one process SQLite's lock would wait for itself; third-party.test.ts starts two processes.
  it.runIf(inject('postgresUrl') !== null)('may happen several times at once', async () => {
    const database = await newDatabase()
    const nodes = [1, 2, 3].map(() => openDatabase(database.address, () => {}))
    onTestFinished(async () => {
      for (const db of nodes) await db.destroy()
    })
    await migrate(nodes[0] as (typeof nodes)[0])
    await Promise.all(nodes.map((db) => installPlugins(db, [loadedNotes()])))
    await within(database, [loadedNotes()], async (t) => {
      const own = await t.ctx.unguarded
        .selectFrom('permissions')
        .select('id')
        .where('name', '=', 'notes.write')
        .execute()
      expect(own).toHaveLength(1)
    })
  })
})

describe('a reaction', () => {
  it('is part of the transaction of what it reacts to', async () => {
    const database = await newDatabase()
    const react = async () => Promise.reject(new Error('the reaction failed'))
    const failing = { ...notes, on: () => ({ 'role.created': react }) }
    await within(database, [loadedNotes(failing)], async (t) => {
      expect((await t.call('POST /roles', { body: { name: 'Clerk' } })).status).toBe(500)
      expect(await namesOf(t, '/roles')).toEqual(['Admin', 'User'])
    })
    await within(database, [loadedNotes()], async (t) => {
      const { user, key } = await t.createUser({ role_id: 1 })
      await t.call('POST /notes', { key, body: { text: 'Mine' } })
      await t.call(`DELETE /users/${user.id}`)
      expect((await t.call('GET /notes?include=user')).body.data).toMatchObject([{ user_id: null, user: null }])
      const [event] = (await t.call('GET /activity?filter[event]=note.created')).body.data
      expect(event).toMatchObject({ actor_id: user.id, subject_type: 'note', subject_id: 1 })
      expect(event.api_key_id).not.toBe(systemActor.apiKeyId)
    })
  })

  it('hears of a bulk action at once if it can, and else of one user after the other', async () => {
    const heard: unknown[][] = []
    const one = async (_tx: unknown, { subject }: Event) => void heard.push(['one', subject.id])
    const many = async (_tx: unknown, events: readonly Event[]) =>
      void heard.push(['many', ...events.map(({ subject }) => subject.id)])
    const on = () => ({ 'user.banned': one, 'user.activated': one })
    const listening = { ...notes, on, onMany: () => ({ 'user.banned': many }) }
    await within(await newDatabase(), [loadedNotes(listening)], async (t) => {
      const ids = [(await t.createUser()).user.id, (await t.createUser()).user.id]
      for (const action of ['ban', 'activate']) {
        await t.call('POST /users/bulk', { body: { action, ids, expected: 2 } })
        await runJobs(t)
      }
      expect(heard).toEqual([
        ['many', ...ids],
        ['one', ids[0]],
        ['one', ids[1]],
      ])
    })
  })
})

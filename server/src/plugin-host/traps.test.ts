import type { Plugin } from '@gatehouse/plugin-kit'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { loggedErrors } from '../testing/logged-errors.ts'
import { loadedNotes } from './notes.fixture.ts'

/* A JavaScript plugin has no types that keep it inside its transactions. It gets an error at once, and nothing else waits. */

const insert = (db: unknown) =>
  (db as { insertInto: (table: string) => { values: (row: object) => { execute: () => Promise<unknown> } } })
    .insertInto('notes')
    .values({ text: 'trap', text_folded: 'trap', kind: 'memo', created_at: '2026-01-01 00:00:00' })
    .execute()

const trap = (name: string, handle: (host: never, actor: never) => Promise<unknown>) =>
  ({ name, handle }) as { name: string; handle: (host: unknown, actor: unknown) => Promise<unknown> }

// biome-ignore lint/suspicious/noExplicitAny: what a plugin without types writes
type Loose = any

const traps = [
  trap('nested', async (host: Loose, actor: Loose) => {
    const around = () => host.transaction(host.system, async () => {})
    return host.transaction(actor, around)
  }),
  trap('outside', async (host: Loose, actor: Loose) => {
    const around = () => host.db.selectFrom('notes').selectAll().execute()
    return host.transaction(actor, async (tx: Loose) => {
      await insert(tx.db)
      await around()
    })
  }),
  trap('writes', (host: Loose) => insert(host.db)),
  trap('undeclared', (host: Loose, actor: Loose) =>
    host.transaction(actor, (tx: Loose) => tx.recordActivity('note.lost', { type: 'note', id: 1 })),
  ),
  trap('actorless', (host: Loose) => host.transaction((db: unknown) => insert(db))),
  trap('made-up', (host: Loose) => host.transaction({ userId: 1, may: () => true }, (tx: Loose) => insert(tx.db))),
]

const plugin = {
  id: 'notes',
  migrations: (loadedNotes().plugin as Plugin).migrations,
  routes: (host: unknown) =>
    traps.map(({ name, handle }) => ({
      method: 'POST',
      path: `/notes/${name}`,
      operationId: `trap${name.replaceAll('-', '')}`,
      summary: name,
      access: 'authenticated',
      answer: 'success',
      handle: ({ actor }: { actor: unknown }) => handle(host, actor),
    })),
}

let t: TestApp
let logged: string[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), {}, { plugins: [loadedNotes(plugin)] })
  logged = loggedErrors(t)
})
afterAll(() => t.close())

it.each([
  ['nested', /^A transaction cannot begin inside another one \(begun at .*traps\.test\.ts/],
  ['outside', /^This query is not part of the transaction around it \(begun at .*traps\.test\.ts/],
  ['writes', /^host\.db only reads/],
  ['undeclared', /^the plugin notes declares no event "note\.lost"$/],
  ['actorless', /takes the actor of the call/],
  ['made-up', /takes the actor of the call/],
])('%s: an error that says what is wrong, nothing written, and the server continues', async (name, message) => {
  const { status } = await t.call(`POST /notes/${name}`)
  expect(status).toBe(500)
  expect(logged.at(-1)).toMatch(message)
  expect((await t.call('POST /roles', { body: { name } })).status).toBe(201)
  expect(
    await t.ctx.db
      .selectFrom('notes' as 'roles')
      .selectAll()
      .execute(),
  ).toEqual([])
})

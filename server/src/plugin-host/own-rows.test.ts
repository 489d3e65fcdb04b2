import { type Call, type Plugin, sql } from '@gatehouse/plugin-kit'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { createHolder } from '../testing/actors.ts'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { loggedErrors } from '../testing/logged-errors.ts'
import { loadedNotes, notes } from './notes.fixture.ts'

/** The notes, but everybody sees only their own; who may write all notes sees all. */
const ownNotes: Plugin = {
  ...(notes as Plugin),
  routes: (host) => {
    const [first, ...others] = (notes as Plugin).routes?.(host) ?? []
    const { list } = first as Extract<typeof first, { list: object }>
    const only = ({ actor, query }: Call) => {
      if (query.has('forgotten')) return undefined as never
      if (query.has('or')) return sql<boolean>`kind = 'memo' or user_id = ${actor.userId}`
      return actor.may('notes.write') ? 'all' : sql<boolean>`user_id = ${actor.userId}`
    }
    return [{ ...(first as object), list: { ...list, only } } as never, ...others]
  },
}

let t: TestApp
let ada: { user: { id: number }; key: string }
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), {}, { plugins: [loadedNotes(ownNotes)] })
  ada = await createHolder(t, ['notes.write'])
  for (const [text, key] of [
    ['admin 1', undefined],
    ['ada 1', ada.key],
    ['ada 2', ada.key],
  ] as const)
    await t.call('POST /notes', { body: { text, kind: 'todo' }, ...(key && { key }) })
  const roleId = (await t.call(`GET /users/${ada.user.id}`)).body.data.role_id
  await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
})
afterAll(() => t.close())

const textsOf = async (query: string, key?: string) => {
  const { body } = await t.call(`GET /notes?sort=id&${query}`, key === undefined ? {} : { key })
  return { texts: body.data.map(({ text }: { text: string }) => text), total: body.meta.total }
}

it('a list shows what its `only` leaves, in pages, totals, cursors and under every filter', async () => {
  expect(await textsOf('')).toEqual({ texts: ['admin 1', 'ada 1', 'ada 2'], total: 3 })
  expect(await textsOf('', ada.key)).toEqual({ texts: ['ada 1', 'ada 2'], total: 2 })
  expect(await textsOf('filter[text]=1', ada.key)).toEqual({ texts: ['ada 1'], total: 1 })
  expect(await textsOf('filter[user]=1', ada.key)).toEqual({ texts: [], total: 0 })
  const first = await t.call('GET /notes?sort=id&per_page=1', { key: ada.key })
  expect(await textsOf(`per_page=1&cursor=${first.body.meta.next_cursor}`, ada.key)).toMatchObject({ texts: ['ada 2'] })
})

it('a condition with `or` does not escape the filters', async () => {
  expect(await textsOf('or=1&filter[text]=2', ada.key)).toEqual({ texts: ['ada 2'], total: 1 })
})

it('an `only` that returns nothing shows nothing: an error, not everything', async () => {
  const logged = loggedErrors(t)
  expect((await t.call('GET /notes?forgotten=1')).status).toBe(500)
  expect(logged).toEqual(["The `only` of the list GET /notes must return a condition or 'all'."])
})

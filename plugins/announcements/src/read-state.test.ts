import { expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../../../server/src/testing/app.ts'

const publish = async (t: TestApp, key = t.adminKey): Promise<number> => {
  t.clock.advance({ minutes: 5 })
  return (await t.call('POST /announcements', { key, body: { title: 'T', body: 'B' } })).body.data.id
}
const unread = async (t: TestApp, key: string): Promise<number> =>
  (await t.call('GET /announcements?per_page=1', { key })).body.meta.unread
const read = async (t: TestApp, key: string, body?: object): Promise<number> =>
  (await t.call('POST /announcements/read', { key, ...(body === undefined ? {} : { body }) })).body.data.unread
const rows = async (t: TestApp) => {
  const tables = await t.ctx.unguarded.introspection.getTables()
  expect(tables.map(({ name }) => name)).toContain('announcement_reads')
  const db = t.ctx.unguarded as unknown as import('./shape.ts').Db
  const marks = await db.selectFrom('announcement_read_marks').selectAll().orderBy('user_id').execute()
  const reads = await db.selectFrom('announcement_reads').selectAll().orderBy('announcement_id').execute()
  return { marks: marks.map((row) => [row.user_id, row.read_to]), reads: reads.map((row) => row.announcement_id) }
}

it('counts what the caller has not read, with any filter', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const [ada, bob] = [await t.createUser(), await t.createUser()]
  const ids = [await publish(t), await publish(t), await publish(t)]
  expect([await unread(t, ada.key), await unread(t, bob.key)]).toEqual([3, 3])
  expect((await t.call('GET /announcements?filter[title]=none', { key: ada.key })).body.meta).toMatchObject({
    total: 0,
    unread: 3,
  })
  expect(await read(t, ada.key, { ids: [ids[1], 999_999] })).toBe(2)
  expect(await read(t, ada.key, { ids: [] })).toBe(2)
  expect([await unread(t, ada.key), await unread(t, bob.key)]).toEqual([2, 3])
  expect(await read(t, ada.key)).toBe(0)
  expect(await read(t, ada.key)).toBe(0)
  expect([await unread(t, ada.key), await unread(t, bob.key)]).toEqual([0, 3])
  await publish(t)
  expect([await unread(t, ada.key), await unread(t, bob.key)]).toEqual([1, 4])
})

it('counts neither what is older than the account nor what the caller wrote', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await publish(t)
  t.clock.advance({ seconds: 1 })
  const { user, key } = await t.createUser({ role_id: 1 })
  expect(await unread(t, key)).toBe(0)
  await publish(t, key)
  expect([await unread(t, key), await unread(t, t.adminKey)]).toEqual([0, 1])
  await publish(t)
  expect([await unread(t, key), await unread(t, t.adminKey)]).toEqual([1, 1])
  expect(user.id).toBe(2)
})

it('keeps one mark for each user, and a row for what is read beyond it', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user, key } = await t.createUser()
  const ids = [await publish(t), await publish(t), await publish(t), await publish(t)]
  await read(t, key, { ids: [ids[2]] })
  expect(await rows(t)).toEqual({ marks: [], reads: [ids[2]] })
  await read(t, key, { ids: [ids[0]] })
  expect(await rows(t)).toEqual({ marks: [[user.id, ids[0]]], reads: [ids[2]] })
  await read(t, key, { ids: [ids[1]] })
  expect(await rows(t)).toEqual({ marks: [[user.id, ids[2]]], reads: [] })
  // A lower id may still appear before a very recent one, so it has a row until it has settled.
  await read(t, key)
  expect(await rows(t)).toEqual({ marks: [[user.id, ids[2]]], reads: [ids[3]] })
  t.clock.advance({ minutes: 1 })
  await read(t, key)
  expect(await rows(t)).toEqual({ marks: [[user.id, ids[3]]], reads: [] })
  expect(await unread(t, key)).toBe(0)
})

it('is deleted with the user, and with the announcement', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { user, key } = await t.createUser()
  const ids = [await publish(t), await publish(t), await publish(t)]
  await read(t, key, { ids: [ids[0]] })
  await read(t, key, { ids: [ids[2]] })
  await t.call('PUT /announcements/subscription', { key, body: { subscribed: false } })
  await t.call(`DELETE /announcements/${ids[1]}`)
  expect(await unread(t, key)).toBe(0)
  await t.call(`DELETE /announcements/${ids[2]}`)
  expect(await rows(t)).toEqual({ marks: [[user.id, ids[0]]], reads: [] })
  await publish(t)
  await read(t, key)
  await t.call(`DELETE /users/${user.id}`)
  expect(await rows(t)).toEqual({ marks: [], reads: [] })
  const db = t.ctx.unguarded as unknown as import('./shape.ts').Db
  expect(await db.selectFrom('announcement_opt_outs').selectAll().execute()).toEqual([])
})

it('accepts only ids', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  for (const ids of ['1', 1, null, ['01'], [0], [1.5], [null], Array.from({ length: 1001 }, (_, index) => index + 1)]) {
    const { status, body } = await t.call('POST /announcements/read', { body: { ids } })
    expect([status, Object.keys(body.errors ?? {})], JSON.stringify(ids)?.slice(0, 20)).toEqual([422, ['ids']])
  }
})

it('shows for each whether the caller has read it, on request', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const { key } = await t.createUser()
  const ids = [await publish(t), await publish(t), await publish(t)]
  await read(t, key, { ids: [ids[1]] })
  const list = async (caller: string) =>
    (await t.call('GET /announcements?include=read_state&sort=created_at', { key: caller })).body.data.map(
      ({ read_state }: { read_state: { is_read: boolean } }) => read_state.is_read,
    )
  expect(await list(key)).toEqual([false, true, false])
  expect(await list(t.adminKey)).toEqual([true, true, true]) // the author knows it
  const one = await t.call(`GET /announcements/${ids[2]}?include=read_state`, { key })
  expect(one.body.data.read_state).toEqual({ is_read: false })
})

import { expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { formHeaders, formOf, pictureOf } from '../../testing/images.ts'
import { until } from '../../testing/until.ts'

/** A store of objects that answers the methods in `held` only after `release`. */
async function startStore() {
  const objects = new Map<string, string>()
  const held = new Set<string>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const peer = await startHttpPeer()
  peer.answer = async ({ method, path, body }) => {
    if (held.has(method)) await released
    const bytes = objects.get(path)
    if (method === 'PUT') objects.set(path, body)
    if (method === 'DELETE') objects.delete(path)
    if (method === 'DELETE') return { status: 204 }
    return { status: method === 'PUT' || bytes !== undefined ? 200 : 404 }
  }
  const received = (method: string) => peer.requests.filter((request) => request.method === method).length
  return { url: peer.url, objects, held, received, release }
}

const startApp = async (store: { url: string }): Promise<TestApp> =>
  createTestApp(inject('postgresUrl'), {
    GATEHOUSE_STORAGE_URL: `${store.url.replace('http:', 's3:').replace('//', '//key:secret@')}/pictures?path_style=1`,
  })

const upload = async (t: TestApp, id: number, picture: Buffer) => {
  const body = formOf([{ name: 'file', filename: 'a.png', bytes: picture }])
  return t.call(`POST /users/${id}/avatar`, { body, headers: formHeaders })
}

it('keeps nobody waiting who changes something else', async () => {
  const store = await startStore()
  const t = await startApp(store)
  const users = await Promise.all(Array.from({ length: 12 }, () => t.createUser())) // more than there are connections to PostgreSQL
  for (const [nth, { user }] of users.entries())
    expect((await upload(t, user.id, await pictureOf(nth))).status).toBe(200)
  // Only before the transaction: once for each of the two files.
  expect(store.received('HEAD')).toBe(2 * users.length)
  store.held.add('DELETE')
  const removing = users.map(({ user }) => t.call(`DELETE /users/${user.id}/avatar`))
  await until(() => store.received('DELETE') === users.length, 'the removals to begin')
  const { user } = await t.createUser()
  expect((await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Ada' } })).status).toBe(200)
  store.release()
  expect((await Promise.all(removing)).map(({ status }) => status)).toEqual(users.map(() => 200))
  expect(store.objects.size).toBe(0)
})

it('has a picture that was set while it was being removed', async () => {
  const store = await startStore()
  const t = await startApp(store)
  const [one, other] = [await t.createUser(), await t.createUser()]
  const picture = await pictureOf(1)
  await upload(t, one.user.id, picture)
  store.held.add('DELETE')
  const removing = t.call(`DELETE /users/${one.user.id}/avatar`)
  await until(() => store.received('DELETE') === 1, 'the removal to begin')
  const setting = upload(t, other.user.id, picture)
  const { data } = (await t.call(`GET /users/${other.user.id}`)).body
  expect(data.avatar).toContain('default.svg')
  store.release()
  expect([(await removing).status, (await setting).status]).toEqual([200, 200])
  expect(store.objects.size).toBe(2)
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder, type Holder } from '../../testing/actors.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
/** A second node on the same database. */
let other: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  other = await startNode(t)
})
afterAll(() => t.close())

/** What a key answers now, on each of the two nodes. */
const statuses = async (key: string, path = '/countries'): Promise<number[]> =>
  Promise.all([t, other].map(async (node) => (await node.call(`GET ${path}`, { key })).status))

describe('expiry', () => {
  it('takes effect at its second and not before', async () => {
    const body = { name: 'Short', expires_at: '2026-01-15 13:00:00' }
    const { key } = (await t.call('POST /api-keys', { body })).body.data
    const now = async () => (await t.call('GET /countries', { key })).status
    t.clock.advance({ minutes: 59, seconds: 59 })
    expect(await now()).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect(await now()).toBe(401)
    t.clock.advance({ days: 400 })
    expect(await now()).toBe(401)
  })

  it('can be postponed by PATCH, and the key works again', async () => {
    const { keyId, key } = await createHolder(t, [])
    const year = t.clock.now().getUTCFullYear()
    await t.call(`PATCH /api-keys/${keyId}`, { body: { expires_at: `${year + 1}-01-01 00:00:00` } })
    t.clock.advance({ days: 366 })
    expect((await t.call('GET /countries', { key })).status).toBe(401)
    await t.call(`PATCH /api-keys/${keyId}`, { body: { expires_at: null } })
    expect((await t.call('GET /countries', { key })).status).toBe(200)
  })
})

describe('a key that lists a permission which its owner has lost, or of a plugin that is off', () => {
  it('can be renamed with the whole of it sent back, and gets no other such permission', async () => {
    const { keyId } = await createHolder(t, [])
    const permissions = ['users.manage', 'of.plugin']
    const row = { permissions: JSON.stringify(permissions) }
    await t.ctx.unguarded.updateTable('api_keys').set(row).where('id', '=', keyId).execute()
    const rename = (more: object) => t.call(`PATCH /api-keys/${keyId}`, { body: { name: 'Same', ...more } })
    expect((await rename({ permissions: [...permissions, 'of.another'] })).status).toBe(422)
    expect((await rename({ permissions: [...permissions, 'users.activity'] })).status).toBe(403)
    expect(await rename({ permissions })).toMatchObject({ status: 200, body: { data: { name: 'Same', permissions } } })
  })
})

describe('an expired key', () => {
  it('can be renamed with the whole of it sent back', async () => {
    const { keyId } = await createHolder(t, [])
    const expires_at = `${t.clock.now().getUTCFullYear() + 1}-01-01 00:00:00`
    await t.call(`PATCH /api-keys/${keyId}`, { body: { expires_at } })
    t.clock.advance({ days: 366 })
    const renamed = await t.call(`PATCH /api-keys/${keyId}`, { body: { name: 'Old', expires_at } })
    expect([renamed.status, renamed.body.data]).toMatchObject([200, { name: 'Old', expires_at }])
    const past = { expires_at: expires_at.replace('00:00:00', '00:00:01') }
    expect((await t.call(`PATCH /api-keys/${keyId}`, { body: past })).status).toBe(422)
  })

  it('gets no new secret before it has a later end', async () => {
    const { key } = await createHolder(t, ['api-keys.manage'])
    const end = new Date(t.clock.now().getTime() + 3_600_000).toISOString()
    const expires_at = end.slice(0, 19).replace('T', ' ')
    const { id } = (await t.call('POST /api-keys', { key, body: { name: 'Short', expires_at } })).body.data
    t.clock.advance({ hours: 1 })
    const row = () => t.ctx.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirst()
    const before = await row()
    expect(await t.call(`POST /api-keys/${id}/rotate`, { key })).toMatchObject({
      status: 422,
      body: { errors: { expires_at: [expect.stringContaining('has expired')] } },
    })
    expect(await row()).toEqual(before)
    await t.call(`PATCH /api-keys/${id}`, { key, body: { expires_at: null } })
    expect((await t.call(`POST /api-keys/${id}/rotate`, { key })).status).toBe(200)
  })
})

describe('rotating and revoking', () => {
  it('the old secret stops working at once and the new one works, on every node', async () => {
    const { key, keyId } = await createHolder(t, ['api-keys.manage'])
    const { status, body } = await t.call(`POST /api-keys/${keyId}/rotate`, { key })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: keyId, last_used_at: null, key: expect.stringMatching(/^gh_.{43}$/) })
    expect(await statuses(key)).toEqual([401, 401])
    expect(await statuses(body.data.key)).toEqual([200, 200])
  })

  it('after many parallel rotations of one key, exactly the last secret works', async () => {
    const { keyId, key } = await createHolder(t, ['api-keys.manage'])
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => t.call(`POST /api-keys/${keyId}/rotate`, { key })),
    )
    const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.data.key)
    expect(made.length).toBeGreaterThan(0)
    const alive = await Promise.all(made.map(async (secret) => (await statuses(secret))[0]))
    expect(alive.filter((status) => status === 200)).toHaveLength(1)
  })

  it('a revoked key answers 401 from the next request on, on every node', async () => {
    const { key, keyId } = await createHolder(t, [])
    expect(await statuses(key)).toEqual([200, 200])
    expect(await t.call(`DELETE /api-keys/${keyId}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await statuses(key)).toEqual([401, 401])
    expect((await t.call(`DELETE /api-keys/${keyId}`)).status).toBe(404)
  })

  it('a key may revoke itself', async () => {
    const { key, keyId } = await createHolder(t, ['api-keys.manage'])
    expect((await t.call(`DELETE /api-keys/${keyId}`, { key })).status).toBe(200)
    expect(await statuses(key)).toEqual([401, 401])
  })
})

describe('the owner', () => {
  const set = (holder: Holder, body: object) => t.call(`PATCH /users/${holder.user.id}`, { body })

  it('banned: the key answers 401 at once, and for good', async () => {
    const holder = await createHolder(t, [])
    await set(holder, { status: 'Banned' })
    expect(await statuses(holder.key)).toEqual([401, 401])
    await set(holder, { status: 'Active' })
    expect(await statuses(holder.key)).toEqual([401, 401])
  })

  it('unconfirmed: the key answers 401 until the owner is Active again', async () => {
    const holder = await createHolder(t, [])
    await set(holder, { status: 'Unconfirmed' })
    expect(await statuses(holder.key)).toEqual([401, 401])
    await set(holder, { status: 'Active' })
    expect(await statuses(holder.key)).toEqual([200, 200])
  })

  it('deleted: the key answers 401 and is gone', async () => {
    const holder = await createHolder(t, [])
    await t.call(`DELETE /users/${holder.user.id}`)
    expect(await statuses(holder.key)).toEqual([401, 401])
    expect((await t.call(`GET /api-keys/${holder.keyId}`)).status).toBe(404)
  })

  it('with another role: the key permits what that role does, at the next request on every node', async () => {
    const holder = await createHolder(t, ['users.manage'])
    expect(await statuses(holder.key, '/users')).toEqual([200, 200])
    await set(holder, { role_id: 2 })
    expect(await statuses(holder.key, '/users')).toEqual([403, 403])
    await set(holder, { role_id: 1 })
    expect(await statuses(holder.key, '/users')).toEqual([200, 200])
  })

  it('with a role that loses or gains a permission: takes effect at the next request on every node', async () => {
    const { key, roleId } = await createHolder(t, ['users.manage'])
    for (const [permissions, expected] of [
      [[], [403, 403]],
      [['users.manage'], [200, 200]],
    ]) {
      await other.call(`PUT /roles/${roleId}/permissions`, { key: t.adminKey, body: { permissions } })
      expect(await statuses(key, '/users')).toEqual(expected)
    }
  })
})

describe('last_used_at', () => {
  const lastUse = async (id: number) => (await t.call(`GET /api-keys/${id}`)).body.data.last_used_at

  it('says when the key was used, to the minute; listing it does not count as a use', async () => {
    const { key, keyId } = await createHolder(t, [])
    const stamp = () => t.clock.now().toISOString().slice(0, 19).replace('T', ' ')
    expect(await lastUse(keyId)).toBeNull()
    const first = stamp()
    await t.call('GET /countries', { key })
    await expect.poll(() => lastUse(keyId)).toBe(first)

    t.clock.advance({ seconds: 30 })
    await t.call('GET /countries', { key })
    t.clock.advance({ seconds: 31 })
    expect(await lastUse(keyId)).toBe(first)
    await t.call('GET /countries', { key })
    await expect.poll(() => lastUse(keyId)).toBe(stamp())
  })

  it('says the first use of a key as soon as that request is answered', async () => {
    const { key, keyId } = await createHolder(t, [])
    await Promise.all([t, t, other].map((node) => node.call('GET /countries', { key })))
    expect(await lastUse(keyId)).not.toBeNull()
  })

  it('is also set by a request that is refused for lack of permission', async () => {
    const { key, keyId } = await createHolder(t, [])
    expect((await t.call('GET /users', { key })).status).toBe(403)
    await expect.poll(() => lastUse(keyId)).not.toBeNull()
  })
})

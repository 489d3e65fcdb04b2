import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder, type Holder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const wide = ['api-keys.manage', 'users.manage', 'roles.manage']
const narrow = ['api-keys.manage', 'users.manage']

const issue = async (
  key: string,
  permissions?: string[] | null,
): Promise<{ id: number; key: string; permissions: string[] | null }> =>
  (await t.call('POST /api-keys', { key, body: { name: 'Made', permissions } })).body.data
const status = async (request: string, key: string, body?: unknown): Promise<number> =>
  (await t.call(request, { key, body })).status
const setRole = (roleId: number, permissions: string[]) =>
  t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions } })

describe('a key acts within its scope', () => {
  it('permits only what it names; everything else is 403', async () => {
    const { key } = await issue(t.adminKey, ['users.manage'])
    expect(await status('GET /users', key)).toBe(200)
    for (const path of ['/activity', '/api-keys', '/permissions']) expect(await status(`GET ${path}`, key)).toBe(403)
  })

  it('with an empty list it permits nothing but what any credential may', async () => {
    const { key, permissions } = await issue(t.adminKey, [])
    expect(permissions).toEqual([])
    expect(await status('GET /users', key)).toBe(403)
    expect(await status('GET /countries', key)).toBe(200)
  })

  it('with null, or nothing said, it permits all that its owner may, now and later', async () => {
    const owner = await createHolder(t, ['api-keys.manage'])
    const keys = [await issue(owner.key, null), await issue(owner.key)]
    expect(keys.map(({ permissions }) => permissions)).toEqual([null, null])
    await setRole(owner.roleId, ['api-keys.manage', 'users.manage'])
    for (const { key } of keys) expect(await status('GET /users', key)).toBe(200)
  })

  it('never permits what its owner has lost', async () => {
    const owner = await createHolder(t, wide)
    const { key } = await issue(owner.key, narrow)
    await setRole(owner.roleId, ['api-keys.manage'])
    expect(await status('GET /users', key)).toBe(403)
    expect(await status('GET /api-keys', key)).toBe(200)
  })
})

/** The role `wide`, a key limited to `narrow`, and a role that is as narrow as the key until it grows. */
describe.each([
  ['narrower than its owner', wide],
  ['just as wide as its owner is today', narrow],
  ['wider than its owner is today', ['api-keys.manage']],
])('a scoped key that is %s', (_, owned) => {
  let owner: Holder
  let scoped: string
  let scopedId: number
  beforeAll(async () => {
    owner = await createHolder(t, wide)
    ;({ key: scoped, id: scopedId } = await issue(owner.key, narrow))
    await setRole(owner.roleId, owned)
  })

  /** Lets the role grow, checks what a key may do, and restores the role. */
  async function mayManageRolesLater(key: string): Promise<boolean> {
    await setRole(owner.roleId, wide)
    const answer = await status('GET /permissions', key)
    await setRole(owner.roleId, owned)
    return answer === 200
  }

  it('makes keys within its scope', async () => {
    const made = await issue(scoped, ['api-keys.manage'])
    expect(made.permissions).toEqual(['api-keys.manage'])
    expect(await mayManageRolesLater(made.key)).toBe(false)
  })

  it('makes keys within its scope if no permissions are given', async () => {
    for (const given of [null, undefined]) {
      const made = await issue(scoped, given)
      const expected = owned.filter((name) => narrow.includes(name))
      expect(made.permissions?.toSorted()).toEqual(expected.toSorted())
      expect(await mayManageRolesLater(made.key)).toBe(false)
    }
  })

  it('cannot name more than its scope', async () => {
    const body = { name: 'More', permissions: ['roles.manage'] }
    expect(await status('POST /api-keys', scoped, body)).toBe(403)
  })

  it('cannot widen itself, nor a key that it made', async () => {
    const made = await issue(scoped, ['api-keys.manage'])
    for (const id of [made.id, scopedId]) {
      expect(await status(`PATCH /api-keys/${id}`, scoped, { permissions: wide })).toBe(403)
      await t.call(`PATCH /api-keys/${id}`, { key: scoped, body: { permissions: null } })
    }
    for (const key of [made.key, scoped]) expect(await mayManageRolesLater(key)).toBe(false)
  })

  it.each([
    ['PATCH', '', { name: 'Mine now' }],
    ['POST', '/rotate', undefined],
    ['DELETE', '', undefined],
  ])('cannot %s%s a wider key of its owner', async (method, suffix, body) => {
    expect(await status(`${method} /api-keys/${owner.keyId}${suffix}`, scoped, body)).toBe(403)
    expect(await mayManageRolesLater(owner.key)).toBe(true)
  })
})

describe("another user's keys", () => {
  it.each([
    ['GET', '', undefined, 200],
    ['PATCH', '', { name: 'Touched' }, 200],
    ['POST', '/rotate', undefined, 403],
    ['DELETE', '', undefined, 200],
  ])('%s%s if their owner has no more permissions than the caller', async (method, suffix, body, expected) => {
    const below = await createHolder(t, ['users.manage'])
    const above = await createHolder(t, narrow)
    expect(await status(`${method} /api-keys/${below.keyId}${suffix}`, above.key, body)).toBe(expected)
  })

  it('can be read by anyone who may list them: no answer shows a secret', async () => {
    const above = await createHolder(t, ['users.activity'])
    const { key } = await createHolder(t, narrow)
    const { status, body } = await t.call(`GET /api-keys/${above.keyId}`, { key })
    expect(status).toBe(200)
    expect(body.data).not.toHaveProperty('key')
  })

  it.each([
    ['PATCH', '', { name: 'Touched' }],
    ['POST', '/rotate', undefined],
    ['DELETE', '', undefined],
  ])('%s%s is 403 if their owner has more permissions than the caller', async (method, suffix, body) => {
    const above = await createHolder(t, ['users.activity'])
    const holder = await createHolder(t, narrow)
    const { key: adminInScope } = await t.createUser({ role_id: 1 }, narrow)
    const admins = await issue(t.adminKey, [])
    for (const key of [holder.key, adminInScope]) {
      for (const id of [above.keyId, admins.id]) {
        expect(await status(`${method} /api-keys/${id}${suffix}`, key, body)).toBe(403)
      }
    }
    expect(await status('GET /activity', above.key)).toBe(200)
    expect(await status('GET /countries', admins.key)).toBe(200)
  })

  it('only the owner can rotate a key, whatever permissions others have', async () => {
    const owner = await createHolder(t, ['api-keys.manage'])
    const answer = await t.call(`POST /api-keys/${owner.keyId}/rotate`)
    expect(answer).toMatchObject({ status: 403, body: { code: 'api_key_not_yours' } })
    expect(await status(`POST /api-keys/${owner.keyId}/rotate`, owner.key)).toBe(200)
  })

  it('never get a permission that their owner lacks', async () => {
    const below = await createHolder(t, ['users.manage'])
    expect(await status(`PATCH /api-keys/${below.keyId}`, t.adminKey, { permissions: ['roles.manage'] })).toBe(403)
    expect(await status(`PATCH /api-keys/${below.keyId}`, t.adminKey, { permissions: [] })).toBe(200)
    expect(await status('GET /users', below.key)).toBe(403)
  })
})

describe('a permission that is deleted while a key gets it', () => {
  const made = async (name: string) => (await t.call('POST /permissions', { body: { name } })).body.data.id as number
  const ways: Record<string, (name: string) => Promise<() => Promise<{ id: number } | undefined>>> = {
    'a new key': async (name) => async () =>
      (await t.call('POST /api-keys', { body: { name: 'Race', permissions: [name] } })).body.data,
    'a changed key': async (name) => {
      const { id } = await issue(t.adminKey, [])
      return async () => (await t.call(`PATCH /api-keys/${id}`, { body: { permissions: [name] } })).body.data
    },
    'a key that passes its own scope on': async (name) => {
      const { key } = await issue(t.adminKey, ['api-keys.manage', name])
      return () => issue(key)
    },
  }

  it.each(Object.entries(ways))('stays in the scope of none: %s (20 rounds)', async (way, prepare) => {
    for (let round = 0; round < 20; round++) {
      const name = `race.${way.replaceAll(' ', '-')}.${round}`
      const id = await made(name)
      const give = await prepare(name)
      const [deleted, given] = await Promise.all([t.call(`DELETE /permissions/${id}`), give()])
      expect(deleted.status).toBe(200)
      if (given === undefined) continue
      const { permissions } = (await t.call(`GET /api-keys/${given.id}`)).body.data
      expect(permissions).not.toContain(name)
    }
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder, type Holder } from '../../testing/actors.ts'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const namesIn = ({ body }: Answer): string[] => body.data.map((permission: { name: string }) => permission.name)
const namesOf = async (roleId: number): Promise<string[]> => namesIn(await t.call(`GET /roles/${roleId}/permissions`))
const give = (roleId: number, permissions: unknown, key = t.adminKey): Promise<Answer> =>
  t.call(`PUT /roles/${roleId}/permissions`, { key, body: { permissions } })

describe('setting the permissions of a role', () => {
  it('accepts names and ids, without duplicates, and returns them ordered by id', async () => {
    const id = await t.createRole('Mixed', [])
    const answer = await give(id, ['roles.manage', 1, 'users.manage', 3, 2])
    expect(answer.status).toBe(200)
    expect(namesIn(answer)).toEqual(['users.manage', 'users.activity', 'roles.manage'])
    expect(await namesOf(id)).toEqual(['users.manage', 'users.activity', 'roles.manage'])
  })

  it('removes what is not listed, down to none', async () => {
    const id = await t.createRole('Shrinking', ['users.manage', 'roles.manage'])
    await give(id, ['roles.manage'])
    expect(await namesOf(id)).toEqual(['roles.manage'])
    await give(id, [])
    expect(await namesOf(id)).toEqual([])
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['one name', 'users.manage'],
    ['an unknown name', ['users.manage', 'nope']],
    ['a name in another case', ['Users.Manage']],
    ['an unknown id', [999_999]],
    ['an id with a leading zero', ['01']],
    ['a fraction', [1.5]],
    ['a boolean', [true]],
    ['a null inside', [null]],
    ['a list inside', [['users.manage']]],
    ['a name with NUL', ['users.manage\0']],
    ['too many', Array(1001).fill('users.manage')],
  ])('%s is 422 and changes nothing', async (_, permissions) => {
    const id = await t.createRole(`Unchanged ${Math.random()}`, ['deliveries.view'])
    const answer = await give(id, permissions)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors)).toEqual(['permissions'])
    expect(await namesOf(id)).toEqual(['deliveries.view'])
  })

  it('takes effect at the next request of its users', async () => {
    const { key, roleId } = await createHolder(t, [])
    const statuses: number[] = []
    for (const permissions of [['users.manage'], [], ['users.manage']]) {
      await give(roleId, permissions)
      statuses.push((await t.call('GET /users', { key })).status)
    }
    expect(statuses).toEqual([200, 403, 200])
  })
})

describe('Admin', () => {
  it('holds every permission, those made later too, and acts on them at once', async () => {
    const { key } = await t.createUser({ role_id: 1 })
    await t.call('POST /permissions', { body: { name: 'later.made' } })
    expect(await namesOf(1)).toContain('later.made')
    const id = await t.createRole('Later', [])
    expect((await give(id, ['later.made'], key)).status).toBe(200)
  })

  it('keeps them, whoever tries', async () => {
    const all = await namesOf(1)
    const everything = await createHolder(t, all)
    for (const key of [t.adminKey, everything.key]) expect((await give(1, [], key)).status).toBe(403)
    expect(await namesOf(1)).toEqual(all)
  })
})

describe('nobody adds or removes permissions that they lack', () => {
  let manager: Holder
  beforeAll(async () => {
    manager = await createHolder(t, ['roles.manage', 'users.manage'])
  })
  const roleWith = (permissions: string[]) => t.createRole(`Lattice ${Math.random()}`, permissions)

  it.each([
    ['gives what they hold', [], ['users.manage'], 200],
    ['takes what they hold', ['users.manage', 'roles.manage'], ['roles.manage'], 200],
    ['gives what they lack', [], ['users.activity'], 403],
    ['gives what they lack by its id', [], [2], 403],
    ['gives what they hold together with what they lack', [], ['users.manage', 'settings.auth'], 403],
    ['takes what they lack', ['users.activity'], [], 403],
    ['takes what they hold from a role above them', ['users.manage', 'users.activity'], ['users.activity'], 403],
    ['leaves a role above them as it is', ['users.activity'], ['users.activity'], 403],
  ])('somebody %s', async (_, before, after, status) => {
    const id = await roleWith(before)
    expect((await give(id, after, manager.key)).status).toBe(status)
    if (status === 403) expect(await namesOf(id)).toEqual(before)
  })

  it('their own role included', async () => {
    const wider = await give(manager.roleId, ['roles.manage', 'users.manage', 'users.activity'], manager.key)
    expect(wider).toMatchObject({ status: 403, body: { code: 'role_above_you' } })
  })

  it.each([
    ['PATCH', { name: 'Renamed by somebody below' }],
    ['DELETE', undefined],
  ])('%s of a role above them is 403', async (method, body) => {
    const id = await roleWith(['users.activity'])
    for (const role of [id, 1]) {
      expect((await t.call(`${method} /roles/${role}`, { key: manager.key, body })).status).toBe(403)
    }
    expect(await namesOf(id)).toEqual(['users.activity'])
  })

  it('nor beyond the scope of their key, even as administrator', async () => {
    const { key } = await t.createUser({ role_id: 1 }, ['roles.manage', 'users.manage'])
    const id = await roleWith(['users.manage'])
    expect((await give(id, ['settings.auth'], key)).status).toBe(403)
    expect((await give(id, ['roles.manage'], key)).status).toBe(200)
    expect((await t.call('PATCH /roles/1', { key, body: { description: 'Mine.' } })).status).toBe(403)
  })

  it('nor by deleting a role whose users would get a default role above them', async () => {
    const id = await roleWith([])
    await t.call('PUT /roles/2/permissions', { body: { permissions: ['deliveries.view'], force: true } })
    expect((await t.call(`DELETE /roles/${id}`, { key: manager.key })).status).toBe(403)
    await give(2, [])
    expect((await t.call(`DELETE /roles/${id}`, { key: manager.key })).status).toBe(200)
  })
})

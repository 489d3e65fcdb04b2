import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { corePermissions } from '../../core/permissions.ts'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

interface Permission {
  name: string
  description: string
}

const builtIn = [...corePermissions, 'announcements.manage']

const create = async (name: string): Promise<number> =>
  (await t.call('POST /permissions', { body: { name } })).body.data.id
/** The permissions that an API key is limited to. */
const scopeOf = async (keyId: number): Promise<string[]> =>
  (await t.call(`GET /api-keys/${keyId}`)).body.data.permissions
const limitedKey = async (...permissions: string[]) =>
  (await t.call('POST /api-keys', { body: { name: 'Limited', permissions } })).body.data
const namesOf = async (roleId: number): Promise<string[]> =>
  (await t.call(`GET /roles/${roleId}/permissions`)).body.data.map((permission: { name: string }) => permission.name)

describe('reading permissions', () => {
  it('lists the built-in ones, none of them removable', async () => {
    const { status, body } = await t.call('GET /permissions')
    expect(status).toBe(200)
    expect(body.data.map((permission: { name: string }) => permission.name)).toEqual(builtIn)
    expect(body.data[0]).toEqual({
      id: 1,
      name: 'users.manage',
      display_name: 'Manage users',
      description: expect.any(String),
      removable: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
  })

  it('says what the permissions of settings and messages allow: whoever gives them goes by it', async () => {
    const words = new Map(
      (await t.call('GET /permissions')).body.data.map((one: Permission) => [one.name, one.description]),
    )
    expect(words.get('settings.general')).toBe('Read the settings and the metrics.')
    expect(words.get('settings.auth')).toBe('Read and change all settings.')
    expect(words.get('settings.notifications')).toBe('Send a test mail to oneself.')
    expect(words.get('deliveries.view')).toBe(
      'See the mail and SMS that were sent, failed or captured, and send them again.',
    )
    const { key } = await createHolder(t, ['settings.general'])
    const refused = await t.call('PATCH /settings', { key, body: { 'password.min_length': 9 } })
    expect(refused.status).toBe(403)
  })

  it('is open only to users who manage permissions or roles', async () => {
    const holders = ['permissions.manage', 'roles.manage', 'users.manage'].map((name) => createHolder(t, [name]))
    const keys = [...(await Promise.all(holders)).map(({ key }) => key), null]
    for (const path of ['/permissions', '/permissions/1']) {
      const answers = await Promise.all(keys.map((key) => t.call(`GET ${path}`, { key })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 403, 401])
    }
  })

  it('permission to manage roles allows reading permissions but not writing them', async () => {
    const { key } = await createHolder(t, ['roles.manage'])
    expect((await t.call('POST /permissions', { key, body: { name: 'mine' } })).status).toBe(403)
  })
})

describe('creating and changing a permission', () => {
  it('answers 201 with a removable permission, which Admin gets at once', async () => {
    const { status, body } = await t.call('POST /permissions', {
      body: { name: 'Invoices.read:all_1-2', display_name: 'Read invoices', removable: false },
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Invoices.read:all_1-2', display_name: 'Read invoices', removable: true })
    expect(await namesOf(1)).toEqual([...builtIn, 'Invoices.read:all_1-2'])
    expect(await namesOf(2)).toEqual([])
  })

  it('the creator of a permission does not hold it and cannot grant it', async () => {
    const maker = await createHolder(t, ['permissions.manage', 'roles.manage'])
    const made = await t.call('POST /permissions', { key: maker.key, body: { name: 'self-made' } })
    expect(made.status).toBe(201)
    const grant = { key: maker.key, body: { permissions: ['permissions.manage', 'roles.manage', 'self-made'] } }
    expect((await t.call(`PUT /roles/${maker.roleId}/permissions`, grant)).status).toBe(403)
  })

  it.each(['PATCH', 'PUT'])('%s changes what is sent and keeps the rest', async (method) => {
    const id = await create(`by-${method}`)
    await t.call(`${method} /permissions/${id}`, { body: { description: 'Why.' } })
    const { status, body } = await t.call(`${method} /permissions/${id}`, { body: { name: `renamed-${method}` } })
    expect({ status, ...body.data }).toMatchObject({ status: 200, name: `renamed-${method}`, description: 'Why.' })
  })

  it('a renamed permission stays with the roles that hold it', async () => {
    const id = await create('reports.old')
    const roleId = await t.createRole('Reporters', ['reports.old'])
    await t.call(`PATCH /permissions/${id}`, { body: { name: 'reports.new' } })
    expect(await namesOf(roleId)).toEqual(['reports.new'])
  })

  it('a renamed permission stays with the API keys that are limited to it', async () => {
    const id = await create('orders.old')
    const key = await limitedKey('users.manage', 'orders.old')
    const other = await limitedKey('users.manage')
    await t.call(`PATCH /permissions/${id}`, { body: { name: 'orders.new' } })
    expect(await scopeOf(key.id)).toEqual(['users.manage', 'orders.new'])
    expect(await scopeOf(other.id)).toEqual(['users.manage'])
    const same = { name: 'Renamed', permissions: await scopeOf(key.id) }
    expect((await t.call(`PATCH /api-keys/${key.id}`, { body: same })).status).toBe(200)
  })

  it.each([
    ['missing', undefined],
    ['null', null],
    ['blank', ' '],
    ['too long', 'x'.repeat(101)],
    ['a number', 7],
    ['an object', {}],
    ['with a space', 'invoices read'],
    ['with a comma', 'a,b'],
    ['with a slash', 'a/b'],
    ['with a star', '*'],
    ['with a line break inside', 'a\nb'],
    ['begun with a dot', '.a'],
    ['not ASCII', 'löschen'],
    ['in full-width letters', 'ｕｓｅｒｓ.manage'],
    ['taken', 'users.manage'],
    ['taken in another case', 'USERS.Manage'],
  ])('a name that is %s is 422, on create and on update', async (_, name) => {
    const id = await create(`p${Math.random()}`)
    const created = await t.call('POST /permissions', { body: { name, description: 1 } })
    expect(created.status).toBe(422)
    expect(Object.keys(created.body.errors).toSorted()).toEqual(['description', 'name'])
    const updated = await t.call(`PATCH /permissions/${id}`, { body: { name } })
    expect(updated.status).toBe(name === undefined ? 200 : 422)
  })

  it('a taken name has a code of its own', async () => {
    const { body } = await t.call('POST /permissions', { body: { name: 'Users.manage' } })
    expect(body.code).toBe('permission_name_taken')
  })
})

describe('deleting a permission', () => {
  it('takes it from every role', async () => {
    const id = await create('gone.soon')
    const holder = await createHolder(t, ['gone.soon', 'users.manage'])
    expect(await t.call(`DELETE /permissions/${id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await namesOf(holder.roleId)).toEqual(['users.manage'])
    expect((await t.call(`GET /permissions/${id}`)).status).toBe(404)
  })

  it('takes it from every API key, which gets neither a later one of that name nor more', async () => {
    const id = await create('gone.again')
    const [some, only] = [await limitedKey('gone.again', 'users.activity'), await limitedKey('gone.again')]
    await t.call(`DELETE /permissions/${id}`)
    await create('gone.again')
    expect([await scopeOf(some.id), await scopeOf(only.id)]).toEqual([['users.activity'], []])
    expect((await t.call('GET /users', { key: only.key })).status).toBe(403)
    expect((await t.call('GET /activity', { key: some.key })).status).toBe(200)
  })

  it('and renaming are for who holds it: a name is what applications ask for', async () => {
    const id = await create('not.yours')
    const { key } = await createHolder(t, ['permissions.manage'])
    const renamed = await t.call(`PATCH /permissions/${id}`, { key, body: { name: 'now.mine' } })
    const deleted = await t.call(`DELETE /permissions/${id}`, { key })
    expect([renamed.status, deleted.status]).toEqual([403, 403])
    expect((await t.call(`GET /permissions/${id}`)).body.data.name).toBe('not.yours')
  })
})

it('the texts of a built-in permission are changed by who holds it alone: whoever gives it goes by them', async () => {
  const [first] = (await t.call('GET /permissions?per_page=1&sort=id')).body.data
  const { key } = await createHolder(t, ['permissions.manage'])
  const body = { display_name: 'Read news', description: 'Harmless.' }
  expect((await t.call(`PATCH /permissions/${first.id}`, { key, body })).status).toBe(403)
  expect((await t.call(`GET /permissions/${first.id}`)).body.data).toEqual(first)
  const own = await create('texts.of')
  expect((await t.call(`PATCH /permissions/${own}`, { key, body })).status).toBe(200)
})

describe('what is refused', () => {
  it.each(builtIn.map((name, index) => [name, index + 1] as const))(
    '%s can be neither renamed nor deleted',
    async (name, id) => {
      const renamed = await t.call(`PATCH /permissions/${id}`, { body: { name: `my.${name}` } })
      const deleted = await t.call(`DELETE /permissions/${id}`)
      for (const answer of [renamed, deleted]) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'permission_built_in' } })
      }
      expect((await t.call(`GET /permissions/${id}`)).body.data.name).toBe(name)
    },
  )

  it.each([
    ['GET /permissions/999999', undefined],
    ['PATCH /permissions/999999', { name: 'nobody' }],
    ['DELETE /permissions/999999', undefined],
    ['GET /permissions/1e3', undefined],
  ])('%s is 404', async (request, body) => {
    expect(await t.call(request, { body })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { readRow, userBody } from './users-test-steps.ts'

type Role = 'Admin' | 'Manager' | 'Senior' | 'Auditor' | 'User'

let t: TestApp
const roles = { Admin: 1, User: 2 } as Record<Role, number>
const keys: Record<string, string> = {}

beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const make = async (role: Role, permissions: string[]) => {
    const holder = await createHolder(t, permissions)
    roles[role] = holder.roleId
    keys[role] = holder.key
  }
  await make('Manager', ['users.manage'])
  await make('Senior', ['users.manage', 'roles.manage'])
  await make('Auditor', ['users.activity'])
  keys.User = (await t.createUser()).key
  keys.Admin = t.adminKey
  const scoped = async (role: Role) => (await t.createUser({ role_id: roles[role] }, ['users.manage'])).key
  keys['Admin scoped to users.manage'] = await scoped('Admin')
  keys['Senior scoped to users.manage'] = await scoped('Senior')
  keys['Admin scoped to roles.manage'] = (await t.createUser({ role_id: 1 }, ['roles.manage'])).key
  keys['Admin scoped to nothing'] = (await t.createUser({ role_id: 1 }, [])).key
})
afterAll(() => t.close())

const routes = [
  'GET /users',
  'POST /users',
  ...['GET', 'PATCH', 'PUT', 'DELETE'].map((method) => `${method} /users/{id}`),
]
const onUsers = routes.filter((route) => route.endsWith('{id}'))
const bodyFor = (route: string) => (route.startsWith('GET') ? {} : { body: {} })

describe.each(routes)('%s', (route) => {
  it('is 401 without a valid credential, even if the request is also invalid', async () => {
    const { user } = await t.createUser()
    const before = await readRow(t, user.id)
    const unknown = `gh_${'A'.repeat(43)}`
    for (const key of [null, unknown, 'x', `${t.adminKey}A`, t.adminKey.slice(0, -1), t.adminKey.toUpperCase()]) {
      for (const id of [String(user.id), '999999', 'abc']) {
        const { status, body, headers } = await t.call(route.replace('{id}', id), { ...bodyFor(route), key })
        expect([status, body]).toEqual([401, { message: 'Unauthenticated.', code: 'unauthenticated' }])
        expect(headers['www-authenticate']).toBe('Bearer')
      }
    }
    expect(await readRow(t, user.id)).toEqual(before)
  })

  it.each(['Auditor', 'User', 'Admin scoped to roles.manage', 'Admin scoped to nothing'])(
    'is 403 for %s, whether or not the user exists',
    async (actor) => {
      const { user } = await t.createUser()
      for (const id of [user.id, 999_999]) {
        const answer = await t.call(route.replace('{id}', String(id)), {
          ...bodyFor(route),
          key: keys[actor] as string,
        })
        expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
      }
      expect(await readRow(t, user.id)).toEqual(user)
    },
  )
})

describe.each(onUsers)('%s', (route) => {
  it.each(['999999', '9007199254740993', '0', '01', '-1', '1e3', '1.0', '0x1', '+1', 'abc', '%31%20', '%00', 'null'])(
    'is 404 for the id %s',
    async (id) => {
      const { status, body } = await t.call(route.replace('{id}', id), bodyFor(route))
      expect([status, body]).toEqual([404, { message: 'Resource not found.', code: 'not_found' }])
    },
  )
})

it.each(['DELETE /users', 'PATCH /users', 'PUT /users', 'POST /users/1'])('%s is 405', async (request) => {
  const { status, headers } = await t.call(request, { body: {} })
  expect([status, typeof headers.allow]).toEqual([405, 'string'])
})

/** Whom each actor may edit and delete, and which roles each may assign. */
const lattice: [actor: string, below: Role[]][] = [
  ['Admin', ['Admin', 'Manager', 'Senior', 'Auditor', 'User']],
  ['Senior', ['Manager', 'Senior', 'User']],
  ['Manager', ['Manager', 'User']],
  ['Admin scoped to users.manage', ['Manager', 'User']],
  ['Senior scoped to users.manage', ['Manager', 'User']],
]
const allRoles: Role[] = ['Admin', 'Manager', 'Senior', 'Auditor', 'User']
const edits: [what: string, method: string, body: object][] = [
  ['rename', 'PATCH', { first_name: 'Changed' }],
  ['change the email of', 'PUT', { email: 'taken.over@example.com' }],
  ['set the password of', 'PATCH', { password: 'a quiet harbour', password_confirmation: 'a quiet harbour' }],
  ['ban', 'PATCH', { status: 'Banned' }],
  ['demote', 'PATCH', { role_id: 2 }],
  ['delete', 'DELETE', {}],
]

describe.each(lattice)('%s', (actor, below) => {
  const as = (request: string, body: object) => t.call(request, { key: keys[actor] as string, body })

  it.each(edits)('can %s only users without permissions that they lack', async (_, method, body) => {
    for (const role of allRoles) {
      const { user } = await t.createUser({ role_id: roles[role] })
      const answer = await as(`${method} /users/${user.id}`, body)
      if (below.includes(role)) expect([role, answer.status]).toEqual([role, 200])
      else {
        expect([role, answer.status, answer.body.code]).toEqual([role, 403, 'user_above_you'])
        expect(await readRow(t, user.id)).toEqual(user)
      }
      await t.call(`DELETE /users/${user.id}`)
    }
  })

  // asvs: 8.2.2
  it('gets 403 for a user with more permissions, not the errors of the body', async () => {
    for (const role of allRoles) {
      const { user } = await t.createUser({ role_id: roles[role] })
      const answer = await as(`PATCH /users/${user.id}`, { email: 'admin@example.com', birthday: '2030-01-01' })
      expect([role, answer.status]).toEqual([role, below.includes(role) ? 422 : 403])
    }
  })

  it('cannot assign a role with a permission that they lack, to a new or an existing user', async () => {
    for (const role of allRoles) {
      const { user } = await t.createUser()
      const { total } = (await t.call('GET /users')).body.meta
      const created = await as('POST /users', userBody({ role_id: roles[role] }))
      const changed = await as(`PATCH /users/${user.id}`, { role_id: roles[role], first_name: 'Changed' })
      const may = below.includes(role)
      expect([role, created.status, changed.status]).toEqual([role, ...(may ? [201, 200] : [403, 403])])
      expect((await t.call('GET /users')).body.meta.total).toBe(total + (may ? 1 : 0))
      if (may) continue
      expect([created.body.code, changed.body.code]).toEqual(['role_above_you', 'role_above_you'])
      expect(await readRow(t, user.id)).toEqual(user)
    }
  })
})

describe('a changed role', () => {
  it('takes effect at the next request, with the same key', async () => {
    const { user, key, roleId } = await createHolder(t, ['users.manage'])
    const list = async () => (await t.call('GET /users', { key })).status
    const statuses = [await list()]
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: 2 } })
    statuses.push(await list())
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: roleId } })
    statuses.push(await list())
    await t.call(`PUT /roles/${roleId}/permissions`, { body: { permissions: [] } })
    statuses.push(await list())
    expect(statuses).toEqual([200, 403, 200, 403])
  })

  it('cannot be used to promote oneself, although one may edit oneself', async () => {
    const { user, key } = await createHolder(t, ['users.manage'])
    const edit = (body: object) => t.call(`PATCH /users/${user.id}`, { key, body })
    expect((await edit({ first_name: 'Me' })).status).toBe(200)
    expect((await edit({ role_id: 1 })).body.code).toBe('role_above_you')
    expect((await edit({ role_id: 1, first_name: 'Not me' })).status).toBe(403)
    expect((await readRow(t, user.id)).first_name).toBe('Me')
  })
})

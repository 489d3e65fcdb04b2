import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createHolder } from '../../testing/actors.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { asNdjson, importFile, ndjson } from '../../testing/jobs.ts'
import { processorMs, threadMs } from '../../testing/processor-time.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const names = async (path = '/roles'): Promise<string[]> =>
  (await t.call(`GET ${path}`)).body.data.map((role: { name: string }) => role.name)
const usersOf = async (id: number): Promise<number> => (await t.call(`GET /roles/${id}`)).body.data.users_count

describe('reading roles', () => {
  it('shows the built-in roles with the number of users of each', async () => {
    const { status, body } = await t.call('GET /roles/1')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id: 1,
      name: 'Admin',
      display_name: 'Administrator',
      description: expect.any(String),
      two_factor: 'optional',
      removable: false,
      users_count: 1,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    })
    expect((await t.call('GET /roles/2')).body.data).toMatchObject({ name: 'User', removable: false, users_count: 0 })
  })

  it('lists them sorted, filtered by name in any case and in pages', async () => {
    for (const name of ['beta', 'Alpha']) await t.createRole(name, [])
    expect(await names('/roles?sort=name&per_page=2')).toEqual(['Admin', 'Alpha'])
    expect(await names('/roles?filter[name]=BETA')).toEqual(['beta'])
    expect((await t.call('GET /roles?per_page=1')).body.meta.total).toBe((await names()).length)
  })

  it('is open only to users who manage roles or users', async () => {
    const [role, user, other] = await Promise.all(
      ['roles.manage', 'users.manage', 'users.activity'].map((permission) => createHolder(t, [permission])),
    )
    for (const path of ['/roles', '/roles/1', '/roles/1/permissions']) {
      const statuses = [role?.key, user?.key, other?.key, null].map((key = null) => t.call(`GET ${path}`, { key }))
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([200, 200, 403, 401])
    }
  })
})

describe('creating and changing a role', () => {
  it('answers 201 with a removable role that holds no permission', async () => {
    const { status, body } = await t.call('POST /roles', {
      body: { name: ' Support ', display_name: 'Support team', description: '', removable: false, id: 99 },
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ name: 'Support', display_name: 'Support team', description: null })
    expect(body.data).toMatchObject({ removable: true, users_count: 0, created_at: '2026-01-15 12:00:00' })
    expect(body.data.id).not.toBe(99)
    expect((await t.call(`GET /roles/${body.data.id}/permissions`)).body).toEqual({ data: [] })
  })

  it.each(['PATCH', 'PUT'])('%s changes what is sent and keeps the rest', async (method) => {
    const id = await t.createRole(`Editors by ${method}`, [])
    await t.call(`${method} /roles/${id}`, { body: { display_name: 'Editors', description: 'They edit.' } })
    const { status, body } = await t.call(`${method} /roles/${id}`, { body: { name: `editors BY ${method}` } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: `editors BY ${method}`, display_name: 'Editors' })
    expect((await t.call(`${method} /roles/${id}`, { body: { description: null } })).body.data.description).toBeNull()
  })

  it.each([
    ['missing', {}, ['name']],
    ['null', { name: null }, ['name']],
    ['blank', { name: '  ' }, ['name']],
    ['invisible', { name: '\u200b\u00ad' }, ['name']],
    ['too long', { name: 'x'.repeat(101) }, ['name']],
    ['a number', { name: 5 }, ['name']],
    ['a list', { name: ['Support'] }, ['name']],
    ['with NUL', { name: 'a\0b' }, ['name']],
    ['taken in another case', { name: 'aDMIN' }, ['name']],
    ['taken in full-width letters', { name: 'Ａｄｍｉｎ' }, ['name']],
    ['taken with a zero-width space', { name: 'Ad\u200bmin' }, ['name']],
    ['wrong together with the other fields', { name: '', display_name: 'x'.repeat(256), description: true }, null],
  ])('a name that is %s is 422, on create and on update', async (_, body, fields) => {
    const id = await t.createRole(`Update ${Math.random()}`, [])
    const created = await t.call('POST /roles', { body })
    expect(created.status).toBe(422)
    expect(Object.keys(created.body.errors)).toEqual(fields ?? ['name', 'display_name', 'description'])
    const updated = await t.call(`PATCH /roles/${id}`, { body })
    expect(updated.status).toBe('name' in body ? 422 : 200)
  })

  it('a taken name has a code of its own', async () => {
    const { body } = await t.call('POST /roles', { body: { name: 'ADMIN' } })
    expect(body.code).toBe('role_name_taken')
  })

  it('of many parallel requests for one name, one gets it and the others are refused', async () => {
    const tries = Array.from({ length: 10 }, () => t.call('POST /roles', { body: { name: 'Contested' } }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, ...Array(9).fill(422)])
  })
})

describe('deleting a role', () => {
  it('moves its users to `User`, and all counts stay right', async () => {
    const id = await t.createRole('Doomed', [])
    const [active] = await Promise.all([
      t.createUser({ role_id: id }),
      t.createUser({ role_id: id, status: 'Banned' }),
      t.createUser({ role_id: 2, status: 'Banned' }),
    ])
    const before = await usersOf(2)
    expect(await usersOf(id)).toBe(2)

    expect(await t.call(`DELETE /roles/${id}`)).toMatchObject({ status: 200, body: { success: true } })
    expect(await usersOf(2)).toBe(before + 2)
    const { body } = await t.call(`GET /users/${active?.user.id}?include=role`)
    expect(body.data).toMatchObject({ role_id: 2, role: { name: 'User', users_count: before + 2 } })
    for (const [filter, where] of [
      ['filter[role_id]=2', { role_id: 2 }],
      ['filter[status]=Banned', { status: 'Banned' }],
      ['filter[status]=Banned&filter[role_id]=2', { role_id: 2, status: 'Banned' }],
    ] as const) {
      const rows = (await t.call('GET /users?per_page=100')).body.data as Record<string, unknown>[]
      const counted = rows.filter((user) => Object.entries(where).every(([field, value]) => user[field] === value))
      expect((await t.call(`GET /users?${filter}`)).body.meta.total).toBe(counted.length)
    }
    expect((await t.call(`GET /roles/${id}`)).status).toBe(404)
  })

  // On PostgreSQL the work is its server's.
  it.runIf(inject('postgresUrl') === null)('that thousands have is deleted off the event loop', async () => {
    const role_id = await t.createRole('Crowd', [])
    const crowd = Array.from({ length: 5_000 }, (_, at) => ({ email: `crowd${at}@example.com`, role_id }))
    await importFile(t, ndjson(...crowd), asNdjson)
    let ofThread = Number.NaN
    const all = await processorMs(async () => {
      ofThread = await threadMs(() => t.call(`DELETE /roles/${role_id}`))
    })
    expect(ofThread).toBeLessThan(all / 2)
    expect((await t.call('GET /users?filter[search]=crowd&filter[role_id]=2')).body.meta.total).toBe(5_000)
  })

  it('takes its permissions from its users at once', async () => {
    const { key, roleId } = await createHolder(t, ['users.manage'])
    expect((await t.call('GET /users', { key })).status).toBe(200)
    await t.call(`DELETE /roles/${roleId}`)
    expect((await t.call('GET /users', { key })).status).toBe(403)
  })
})

describe('what is refused', () => {
  it.each([
    ['PATCH /roles/1', { name: 'Root' }],
    ['PATCH /roles/2', { name: 'Guest' }],
    ['DELETE /roles/1', undefined],
    ['DELETE /roles/2', undefined],
    ['PUT /roles/1/permissions', { permissions: ['users.manage'] }],
  ])('%s on a built-in role is 403, to an administrator too', async (request, body) => {
    const answer = await t.call(request, { body })
    expect(answer).toMatchObject({ status: 403, body: { code: 'role_built_in' } })
    expect((await names()).slice(0, 2)).toEqual(['Admin', 'User'])
  })

  it('the description of a built-in role can be changed', async () => {
    const { status, body } = await t.call('PATCH /roles/2', { body: { name: 'User', description: 'Everybody.' } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: 'User', description: 'Everybody.', removable: false })
  })

  it.each([
    ['GET /roles/999999', undefined],
    ['PATCH /roles/999999', { name: 'Nobody' }],
    ['DELETE /roles/999999', undefined],
    ['GET /roles/999999/permissions', undefined],
    ['PUT /roles/999999/permissions', { permissions: [] }],
    ['GET /roles/01', undefined],
  ])('%s is 404', async (request, body) => {
    expect(await t.call(request, { body })).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('the includes of a role', () => {
  it('are its permissions, and users_count, which is there anyway', async () => {
    const id = await t.createRole('Included', ['users.manage', 'deliveries.view'])
    const none = await t.createRole('Includes nothing', [])
    const permissions = (await t.call(`GET /roles/${id}/permissions`)).body.data
    const one = (await t.call(`GET /roles/${id}?include=permissions,users_count`)).body.data
    expect(one).toMatchObject({ permissions, users_count: 0 })
    expect((await t.call(`GET /roles/${none}?include[]=permissions`)).body.data.permissions).toEqual([])
    expect((await t.call(`GET /roles/${id}`)).body.data).not.toHaveProperty('permissions')
    const { data } = (await t.call('GET /roles?include=users_count,permissions&per_page=100')).body
    const all = (await t.call('GET /permissions?per_page=100')).body.data
    expect(data.find((role: { id: number }) => role.id === 1)).toMatchObject({ permissions: all, users_count: 1 })
    expect(data.find((role: { id: number }) => role.id === id)).toEqual(one)
    expect((await t.call('GET /roles?include=users')).status).toBe(400)
  })
})

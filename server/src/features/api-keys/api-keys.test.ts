import { hash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { createHolder } from '../../testing/actors.ts'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const create = (body: unknown, key = t.adminKey): Promise<Answer> => t.call('POST /api-keys', { key, body })

describe('an API key', () => {
  it('is issued with 201, has the documented form and works', async () => {
    const { status, body } = await create({ name: ' Nightly import ', key: 'gh_mine', user_id: 99, id: 99 })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      user_id: 1,
      prefix: body.data.key.slice(0, 8),
      name: 'Nightly import',
      permissions: null,
      expires_at: null,
      last_used_at: null,
      created_at: '2026-01-15 12:00:00',
      updated_at: '2026-01-15 12:00:00',
      key: expect.stringMatching(/^gh_[A-Za-z0-9_-]{43}$/),
    })
    expect(body.data.id).not.toBe(99)
    expect(Buffer.from(body.data.key.slice(3), 'base64url')).toHaveLength(32)
    expect((await t.call('GET /users', { key: body.data.key })).status).toBe(200)
  })

  // asvs: 11.5.1
  it('is never the same twice', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ name: 'Twin' })))
    expect(new Set(answers.map(({ body }) => body.data.key)).size).toBe(20)
  })

  it('appears only in the answers that create or rotate it; the database has only its SHA-256', async () => {
    const { id, key } = (await create({ name: 'Secret' })).body.data
    const rotated = (await t.call(`POST /api-keys/${id}/rotate`)).body.data.key
    const hashed = hash('sha256', rotated, 'base64url')
    const later = await Promise.all([
      t.call(`GET /api-keys/${id}`),
      t.call('GET /api-keys?per_page=100'),
      t.call(`PATCH /api-keys/${id}`, { body: { name: 'Still secret' } }),
      t.call('GET /activity?per_page=100'),
      t.call('GET /users'),
    ])
    for (const { status, text } of later) {
      expect(status).toBe(200)
      for (const secret of [key, rotated, key.slice(3), hashed, 'key_hash', '"key"']) expect(text).not.toContain(secret)
    }
    const all = await dumpDatabase(t)
    expect(all).toContain(hashed)
    for (const secret of [key, rotated, t.adminKey]) expect(all).not.toContain(secret.slice(3))
  })

  it('is listed by user, sorted and counted', async () => {
    const { user, key } = await createHolder(t, ['api-keys.manage'])
    for (const name of ['Zulu', 'alpha']) await create({ name }, key)
    const { body } = await t.call(`GET /api-keys?filter[user_id]=${user.id}&sort=-name`, { key })
    expect(body.data.map((one: { name: string }) => one.name)).toEqual(['Zulu', 'test', 'alpha'])
    expect(body.meta.total).toBe(3)
  })

  it('is found by a part of its name or its id, and sorted by its last use or end, unused and endless ones first', async () => {
    const { user, key } = await createHolder(t, ['api-keys.manage'])
    const ids = new Map<string, number>()
    for (const [name, expires_at] of [
      ['Été one', '2027-03-01 00:00:00'],
      ['été two', null],
      ['Winter', '2027-01-01 00:00:00'],
    ] as const) {
      ids.set(name, (await create({ name, expires_at }, key)).body.data.id)
    }
    const used = (await create({ name: 'Used' }, key)).body.data
    await t.call('GET /me', { key: used.key })
    const names = async (query: string) =>
      (await t.call(`GET /api-keys?filter[user_id]=${user.id}&${query}`)).body.data.map(
        ({ name }: { name: string }) => name,
      )
    expect(await names('filter[search]=%C3%89T%C3%89&sort=id')).toEqual(['Été one', 'été two'])
    expect(await names('filter[search]=%25')).toEqual([])
    expect(await names(`filter[id]=${ids.get('Winter')}`)).toEqual(['Winter'])
    expect((await names('sort=last_used_at')).slice(0, 3)).toEqual(['Été one', 'été two', 'Winter'])
    expect((await names('sort=-expires_at')).slice(0, 2)).toEqual(['Été one', 'Winter'])
  })

  it.each(['PATCH', 'PUT'])('%s changes what is sent and keeps the rest', async (method) => {
    const fields = { name: 'Old', expires_at: '2027-01-01 00:00:00', permissions: ['users.manage'] }
    const { id } = (await create(fields)).body.data
    const { status, body } = await t.call(`${method} /api-keys/${id}`, { body: { name: 'New' } })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ ...fields, name: 'New' })
    const cleared = await t.call(`${method} /api-keys/${id}`, { body: { expires_at: null, permissions: null } })
    expect(cleared.body.data).toMatchObject({ name: 'New', expires_at: null, permissions: null })
  })
})

describe('validation of name, expiry and permissions', () => {
  it.each([
    ['no name', { name: undefined }, 'name'],
    ['null as name', { name: null }, 'name'],
    ['a blank name', { name: ' ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['a number as name', { name: 1 }, 'name'],
    ['an expiry now', { expires_at: '2026-01-15 12:00:00' }, 'expires_at'],
    ['an expiry in the past', { expires_at: '2020-01-01 00:00:00' }, 'expires_at'],
    ['an expiry that is a date', { expires_at: '2027-01-01' }, 'expires_at'],
    ['an expiry in ISO 8601', { expires_at: '2027-01-01T00:00:00Z' }, 'expires_at'],
    ['an expiry that no calendar has', { expires_at: '2027-02-29 00:00:00' }, 'expires_at'],
    ['an expiry that is a number', { expires_at: 1_800_000_000 }, 'expires_at'],
    ['an unknown permission', { permissions: ['users.manage', 'nope'] }, 'permissions'],
    ['a permission in another case', { permissions: ['Users.manage'] }, 'permissions'],
    ['a permission by its id', { permissions: [1] }, 'permissions'],
    ['one name in place of a list', { permissions: 'users.manage' }, 'permissions'],
    ['a permission with NUL', { permissions: ['users.manage\0'] }, 'permissions'],
  ])('%s is 422, on create and on update', async (_, wrong, field) => {
    const { status, body } = await create({ name: 'Fine', ...wrong })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
    const { id } = (await create({ name: 'Updated' })).body.data
    const updated = await t.call(`PATCH /api-keys/${id}`, { body: wrong })
    expect(updated.status).toBe('name' in wrong && wrong.name === undefined ? 200 : 422)
  })

  it('every failing field is named at once', async () => {
    const { body } = await create({ expires_at: '2020-01-01 00:00:00', permissions: ['nope'] })
    expect(Object.keys(body.errors).toSorted()).toEqual(['expires_at', 'name', 'permissions'])
  })

  it('a permission that the caller lacks is 403', async () => {
    const { key, keyId } = await createHolder(t, ['api-keys.manage', 'users.manage'])
    const body = { name: 'Beyond', permissions: ['users.manage', 'settings.auth'] }
    expect(await create(body, key)).toMatchObject({ status: 403, body: { code: 'api_key_beyond_you' } })
    expect((await t.call(`PATCH /api-keys/${keyId}`, { key, body })).status).toBe(403)
  })
})

describe('an invalid credential', () => {
  const spoilt: [string, (key: string) => string][] = [
    ['truncated', (key) => key.slice(0, -1)],
    ['extended', (key) => `${key}A`],
    [
      'in another case',
      (key) =>
        `gh_${key.slice(3).replaceAll(/[a-z]/gi, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))}`,
    ],
    ['without its prefix', (key) => key.slice(3)],
    ['as its own hash', (key) => `gh_${hash('sha256', key, 'base64url')}`],
    ['never issued', () => `gh_${'A'.repeat(43)}`],
  ]
  it.each(spoilt)('a key that is %s is 401', async (_, spoil) => {
    const answer = await t.call('GET /users', { key: spoil(t.adminKey) })
    expect(answer).toMatchObject({ status: 401, body: { message: 'Unauthenticated.', code: 'unauthenticated' } })
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

  it('a key anywhere but in the Authorization header is 401', async () => {
    const key = t.adminKey
    const places: [string, Record<string, string>][] = [
      [`GET /countries?api_key=${key}&access_token=${key}&key=${key}`, {}],
      ['GET /countries', { cookie: `token=${key}; authorization=${key}` }],
      ['GET /countries', { 'x-api-key': key, 'proxy-authorization': `Bearer ${key}` }],
      ['GET /countries', { authorization: `Basic ${btoa(`${key}:`)}` }],
      ['GET /countries', { authorization: key }],
    ]
    for (const [request, headers] of places) expect((await t.call(request, { key: null, headers })).status).toBe(401)
  })

  it.each(['GET', 'PATCH', 'DELETE'])('%s of an unknown key is 404', async (method) => {
    expect((await t.call(`${method} /api-keys/999999`, { body: { name: 'x' } })).status).toBe(404)
  })
})

it('is identified by its first eight characters, in lists and after a rotation', async () => {
  const made = (await t.call('POST /api-keys', { body: { name: 'Known', permissions: [] } })).body.data
  expect(made.prefix).toBe(made.key.slice(0, 8))
  const listed = async () => (await t.call(`GET /api-keys/${made.id}`)).body.data.prefix
  expect(await listed()).toBe(made.prefix)
  const { key } = (await t.call(`POST /api-keys/${made.id}/rotate`)).body.data
  expect(await listed()).toBe(key.slice(0, 8))
  const { data } = (await t.call('GET /api-keys?per_page=100')).body
  expect(data.find(({ id }: { id: number }) => id === made.id).prefix).toBe(key.slice(0, 8))
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { goodPassword, readAudit, readRow, refusal, userBody } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const create = (fields: object) => t.call('POST /users', { body: userBody(fields) })

const profile = {
  username: 'ada',
  first_name: 'Ada',
  last_name: 'Lovelace',
  birthday: '1815-12-10',
  country_id: 826,
  phone: '+44 20 7946 0958',
  address: "12 St James's Square, London",
}
const unset = {
  first_name: null,
  last_name: null,
  username: null,
  phone: null,
  address: null,
  country_id: null,
  birthday: null,
  last_login: null,
  two_factor_country_code: null,
  two_factor_phone: null,
  two_factor_options: null,
}
const stamped = { created_at: '2026-01-15 12:00:00', updated_at: '2026-01-15 12:00:00' }

describe('creating a user', () => {
  it('answers 201 with an Active user, null for fields that were not sent, never the password', async () => {
    const { status, body, text } = await create({ email: 'Plain@Example.com' })
    expect(status).toBe(201)
    expect(body).toEqual({
      data: {
        id: expect.any(Number),
        email: 'Plain@Example.com',
        role_id: 2,
        status: 'Active',
        ...unset,
        ...stamped,
        avatar: 'http://gatehouse.test/avatars/default.svg',
      },
    })
    expect(text).not.toMatch(/password|argon2|canonical/)
  })

  it('keeps every field of the interface as it was sent', async () => {
    const { status, body } = await create(profile)
    expect(status).toBe(201)
    expect(body.data).toMatchObject(profile)
    expect((await t.call(`GET /users/${body.data.id}`)).body).toEqual(body)
  })

  it('writes one audit row, which names the actor and contains no data of the account', async () => {
    const { id } = (await create({ email: 'audited@example.com' })).body.data
    expect(await readAudit(t, id)).toEqual([{ event: 'user.created', actor_id: 1, details: null }])
  })

  // asvs: 11.4.2
  it('stores the password only as Argon2id', async () => {
    const { id } = (await create({})).body.data
    const row = await readRow(t, id)
    expect(row.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    expect(JSON.stringify(row)).not.toContain(goodPassword)
  })
})

describe('what a creating body cannot set', () => {
  const serverOwned = {
    id: 777,
    status: 'Banned',
    password_hash: '$argon2id$mine',
    email_canonical: 'x',
    username_canonical: 'x',
    first_name_key: 'x',
    last_name_key: 'x',
    avatar: 'https://evil.example/a.png',
    last_login: '2020-01-01 00:00:00',
    created_at: '2020-01-01 00:00:00',
    updated_at: '2020-01-01 00:00:00',
    two_factor_country_code: 44,
    two_factor_phone: '7946095800',
    two_factor_options: '{"enabled":true}',
    terms_version: '1',
    terms_accepted_at: '2020-01-01 00:00:00',
    unconfirmed_since: '2020-01-01 00:00:00',
    import_id: 777,
    last_job_id: 777,
  }
  const writable = ['email', 'role_id', ...Object.keys(profile)]

  it('is every column of the table that the interface does not name', async () => {
    const columns = Object.keys(await readRow(t, 1))
    expect([...Object.keys(serverOwned), ...writable].sort()).toEqual(columns.sort())
    const stranger = { is_admin: true, permissions: ['users.manage'], role: { id: 1 }, constructor: { id: 1 } }
    const { status, body } = await create({ ...serverOwned, ...stranger, email: 'mass@example.com' })
    expect(status).toBe(201)
    const { password_hash, ...row } = await readRow(t, body.data.id)
    expect(row).toEqual({
      id: expect.any(Number),
      email: 'mass@example.com',
      role_id: 2,
      status: 'Active',
      ...unset,
      ...stamped,
      email_canonical: 'mass@example.com',
      username_canonical: null,
      first_name_key: '',
      last_name_key: '',
      avatar: null,
      terms_version: null,
      terms_accepted_at: null,
      unconfirmed_since: null,
      import_id: null,
      last_job_id: null,
    })
    expect(row.id).not.toBe(777)
    expect(password_hash).not.toBe(serverOwned.password_hash)
  })

  // asvs: 15.3.6
  it('is not reached by __proto__', async () => {
    const json = JSON.stringify(userBody({ email: 'proto@example.com' }))
    const { status, body } = await t.call('POST /users', {
      body: json.replace('{', '{"__proto__":{"first_name":"Eve","status":"Banned","role_id":1},'),
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ first_name: null, status: 'Active', role_id: 2 })
  })
})

describe('an invalid creating body', () => {
  it.each([
    ['an empty object', {}],
    ['an empty body', ''],
    ['null', 'null'],
    ['an empty list', '[]'],
  ])('names every required field for %s', async (_, body) => {
    expect(refusal(await t.call('POST /users', { body }))).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: ['email', 'password', 'password_confirmation', 'role_id'],
    })
  })

  it.each([['[{}]'], ['"text"'], ['5'], ['true']])('is 422 when it is %s, not an object', async (body) => {
    const answer = await t.call('POST /users', { body })
    expect(answer.status).toBe(422)
    expect(answer.body.errors.body).toEqual(['The body must be a JSON object.'])
  })

  // asvs: 2.2.1, 2.2.2
  it('names every failing field at once, whether its shape or a rule is broken, and creates nobody', async () => {
    await t.createUser({ email: 'here@example.com', username: 'here' })
    const { total } = (await t.call('GET /users')).body.meta
    const answer = await create({
      email: 'HERE@example.com',
      username: 'Here',
      password: 'one password',
      password_confirmation: 'another one',
      role_id: undefined,
      first_name: 5,
      last_name: 'x'.repeat(256),
      birthday: '2023-02-29',
      country_id: 1,
      phone: ['+44'],
      address: 'with\0NUL',
    })
    expect(refusal(answer)).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: [
        ...['address', 'birthday', 'country_id', 'email', 'first_name', 'last_name', 'password'],
        ...['password_confirmation', 'phone', 'role_id', 'username'],
      ],
    })
    expect(answer.body.message).toBe('The given data was invalid.')
    expect(answer.body.errors).toMatchObject({
      email: ['The email has already been taken.'],
      username: ['The username has already been taken.'],
      role_id: ['The role id field is required.'],
    })
    expect((await t.call('GET /users')).body.meta.total).toBe(total)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import type { NewUser } from '../accounts/users.queries.ts'
import { readAudit, readRow, refusal } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let made = 0
const full = (): Partial<NewUser> => ({
  email: `full${++made}@example.com`,
  username: `full${made}`,
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+44 20 7946 0958',
  address: 'London',
  country_id: 826,
  birthday: '1990-12-10',
  avatar: 'https://pictures.example/a.png',
  last_login: '2026-01-02 03:04:05',
  password_hash: 'kept',
  two_factor_country_code: 826,
  two_factor_phone: '2079460958',
  two_factor_options: '{"enabled":true,"channel":"sms"}',
})
const writable = [
  ...[
    'email',
    'username',
    'role_id',
    'status',
    'first_name',
    'last_name',
    'phone',
    'address',
    'country_id',
    'birthday',
  ],
]
const eventsOf = async (id: number) => (await readAudit(t, id)).map(({ event, details }) => [event, details])

describe.each(['PATCH', 'PUT'])('%s of a user', (method) => {
  const update = (id: number, body: object) => t.call(`${method} /users/${id}`, { body })

  it.each([
    [{ first_name: 'Augusta' }, { first_name_key: 'augusta' }],
    [{ last_name: 'BYRON' }, { last_name_key: 'byron' }],
    [{ username: 'Augusta' }, { username_canonical: 'augusta' }],
    [{ email: 'Augusta@Example.com' }, { email_canonical: 'augusta@example.com' }],
    [{ phone: '+49 30 1234' }, {}],
    [{ address: 'Berlin' }, {}],
    [{ country_id: 276 }, {}],
    [{ birthday: '1815-12-10' }, {}],
    [{ role_id: 1 }, {}],
    [{ status: 'Unconfirmed' }, { unconfirmed_since: expect.any(String) }],
    [{ username: null }, { username_canonical: null }],
    [
      { first_name: null, last_name: null },
      { first_name_key: '', last_name_key: '' },
    ],
    [{ phone: null, address: null, country_id: null, birthday: null }, {}],
  ])('with %j changes that and the time of the update, and keeps every other column', async (fields, derived) => {
    const { user } = await t.createUser(full())
    t.clock.advance({ minutes: 1 })
    const { status, body } = await update(user.id, fields)
    expect(status).toBe(200)
    const after = await readRow(t, user.id)
    expect(after).toEqual({ ...user, ...fields, ...derived, updated_at: after.updated_at })
    expect(after.updated_at > user.updated_at).toBe(true)
    expect(body.data).toMatchObject({ ...fields, updated_at: after.updated_at })
    expect((await t.call(`GET /users/${user.id}`)).body).toEqual(body)
    await t.call(`DELETE /users/${user.id}`)
  })

  it('writes one audit row for each kind of change, with the names of the fields and no values', async () => {
    const { user } = await t.createUser(full())
    await update(user.id, { first_name: 'Augusta', phone: null, status: 'Unconfirmed', role_id: 1 })
    expect(await eventsOf(user.id)).toEqual([
      ['user.updated', '{"fields":["first_name","phone"]}'],
      ['user.role_changed', '{"before":2,"after":1}'],
      ['user.unconfirmed', '{"before":"Active"}'],
    ])
  })

  it('with what is there already, or with nothing, changes nothing: no time, no audit row', async () => {
    const { user } = await t.createUser(full())
    t.clock.advance({ minutes: 1 })
    const { email, username, first_name, country_id, role_id, status, birthday } = user
    for (const body of [{ email, username, first_name, country_id, role_id, status, birthday }, {}]) {
      expect((await update(user.id, body)).status).toBe(200)
    }
    expect((await t.call(`${method} /users/${user.id}`, { body: '' })).status).toBe(200)
    expect(await readRow(t, user.id)).toEqual(user)
    expect(await eventsOf(user.id)).toEqual([])
  })

  // asvs: 8.2.3, 15.3.3
  it('changes no column that is not in the interface, whatever the body says', async () => {
    const { user } = await t.createUser(full())
    t.clock.advance({ minutes: 1 })
    const hostile = Object.fromEntries(
      Object.entries(user)
        .filter(([column]) => !writable.includes(column))
        .map(([column, value]) => [column, typeof value === 'number' ? 777 : `not ${value}`]),
    )
    expect(Object.keys(hostile)).toContain('password_hash')
    const { status } = await update(user.id, { ...hostile, is_admin: true, permissions: ['users.manage'] })
    expect(status).toBe(200)
    expect(await readRow(t, user.id)).toEqual(user)
  })

  it('names every failing field at once, and then changes none of the others', async () => {
    await t.createUser({ username: `Taken by ${method}` })
    const { user } = await t.createUser(full())
    const answer = await update(user.id, {
      username: `TAKEN by ${method}`,
      email: 'none',
      role_id: 999,
      status: 'Deleted',
      birthday: '2030-01-01',
      password: 'one password',
      password_confirmation: 'another one',
      country_id: '0826',
      first_name: 'Augusta',
    })
    expect(refusal(answer)).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: [
        ...['birthday', 'country_id', 'email', 'password', 'password_confirmation', 'role_id', 'status', 'username'],
      ],
    })
    expect(await readRow(t, user.id)).toEqual(user)
  })
})

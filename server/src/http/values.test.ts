import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { requestCode } from '../testing/two-factor.ts'

let t: TestApp
let id: number
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  id = (await t.createUser()).user.id
})
afterAll(() => t.close())

const patch = (body: object) => t.call(`PATCH /users/${id}`, { body })

describe('an integer', () => {
  it.each([826, '826', 826.0])('takes %j', async (country_id) => {
    expect((await patch({ country_id })).body.data.country_id).toBe(826)
  })

  // asvs: 1.4.2, 15.3.5
  it.each([
    ...['abc', '02', '2.0', '2.5', ' 826', '826 ', '+2', '0x2', '2e1', '٢', '9007199254740993'],
    2.5,
    true,
    [],
    ['826'],
    {},
  ])('refuses %j', async (country_id) => {
    const { status, body } = await patch({ country_id })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['country_id']])
  })

  it.each(['', '  ', null])('is null if it is %j', async (country_id) => {
    await patch({ country_id: 826 })
    expect((await patch({ country_id })).body.data.country_id).toBeNull()
    const { status, body } = await patch({ role_id: country_id })
    expect([status, body.errors]).toEqual([422, { role_id: ['The role id field is required.'] }])
  })

  it('is one in a list, too', async () => {
    expect((await t.call('POST /announcements/read', { body: { ids: ['1', 2] } })).status).toBe(200)
    expect((await t.call('POST /announcements/read', { body: { ids: ['01'] } })).status).toBe(422)
  })
})

describe('a boolean', () => {
  const name = 'password_reset.enabled'
  it.each([
    [true, true],
    ['true', true],
    [1, true],
    ['1', true],
    [false, false],
    ['false', false],
    [0, false],
    ['0', false],
  ])('reads %j as %j', async (sent, read) => {
    await t.call('PATCH /settings', { body: { [name]: !read } })
    expect((await t.call('PATCH /settings', { body: { [name]: sent } })).body.data[name]).toBe(read)
  })

  it.each([...['on', 'yes', 'TRUE', ' true', 'no', 'off', '01', '2'], 2, -1, 0.5, [], {}, '', null])(
    'refuses %j',
    async (sent) => {
      const { status, body } = await t.call('PATCH /settings', { body: { [name]: sent } })
      expect([status, Object.keys(body.errors)]).toEqual([422, [name]])
    },
  )

  it('requests mail to everybody in each of the four notations of an announcement', async () => {
    for (const email_notifications of [true, 'true', 1, '1']) {
      const { status, body } = await t.call('POST /announcements', {
        body: { title: 'T', body: 'B', email_notifications },
      })
      expect(status).toBe(201)
      expect((await t.call(`GET /announcements/${body.data.id}/notifications`)).status).toBe(200)
    }
    for (const email_notifications of [false, 'false', 0, '0']) {
      const { status, body } = await t.call('POST /announcements', {
        body: { title: 'T', body: 'B', email_notifications },
      })
      expect(status).toBe(201)
      expect((await t.call(`GET /announcements/${body.data.id}/notifications`)).status).toBe(404)
    }
  })
})

describe('the terms of service', () => {
  const register = (name: string, tos: unknown) => {
    const password = 'a quiet harbour at dawn'
    const fields = { email: `${name}@example.com`, username: name, password, password_confirmation: password }
    return t.call('POST /register', { key: null, body: { ...fields, tos } })
  }

  it('are accepted by true, 1, on and yes, and by nothing else', async () => {
    await t.call('PATCH /settings', { body: { 'registration.terms': true } })
    for (const [index, tos] of [true, 'true', 1, '1', 'on', 'yes'].entries())
      expect({ tos, status: (await register(`accepts${index}`, tos)).status }).toEqual({ tos, status: 201 })
    for (const [index, tos] of [false, 'false', 0, '0', 'off', 'no', 'ON', 'y', '', null, [], 2, 'true '].entries()) {
      const { status, body } = await register(`refuses${index}`, tos)
      expect({ tos, status, fields: Object.keys(body.errors ?? {}) }).toEqual({ tos, status: 422, fields: ['tos'] })
    }
    await t.call('PATCH /settings', { body: { 'registration.terms': false } })
  })
})

describe('a phone number and a six-digit token', () => {
  it('may be a number', async () => {
    expect((await patch({ phone: 442079460958 })).body.data.phone).toBe('442079460958')
    for (const phone of [-1, 2.5, 2 ** 53, true, []]) expect((await patch({ phone })).status).toBe(422)
    for (const phone_number of [7400123456, '7400123456', '07400123456']) {
      const { user } = await t.createUser()
      const enabled = await t.call(`PUT /users/${user.id}/2fa`, { body: { country_code: '826', phone_number } })
      expect([enabled.status, enabled.body.data.two_factor_country_code]).toEqual([200, 826])
    }
  })

  it('gets leading zeros if it is a token; anything but six digits has the wrong shape', async () => {
    const { user } = await t.createUser()
    let code = await requestCode(t, user.id)
    while (!code.startsWith('0')) {
      t.clock.advance({ hours: 1 })
      code = await requestCode(t, user.id)
    }
    const verify = (token: unknown) => t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })
    for (const token of [1_000_000, -1, 1.5, true, [], {}, null, ''])
      expect((await verify(token)).body.errors).toHaveProperty('token')
    expect((await verify(Number(code))).status).toBe(200)
  })

  it('is text everywhere else', async () => {
    for (const body of [{ first_name: 5 }, { username: 0 }, { address: true }])
      expect((await patch(body)).status).toBe(422)
    await t.call('PATCH /settings', { body: { 'password_reset.enabled': true } })
    const reset = await t.call('POST /password/reset', { key: null, body: { token: 123456 } })
    expect(reset.body.errors).toHaveProperty('token')
  })
})

describe('an empty password', () => {
  it.each(['', null])('counts as not sent if a user is updated: %j', async (empty) => {
    const hash = () =>
      t.ctx.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()
    const before = await hash()
    const { status } = await patch({ first_name: 'Kept', password: empty, password_confirmation: empty })
    expect(status).toBe(200)
    expect(await hash()).toEqual(before)
  })

  it.each(['', null])('is required if one is needed: %j', async (password) => {
    const created = await t.call('POST /users', { body: { email: 'x@example.com', role_id: 2, password } })
    expect(created.body.errors.password).toHaveLength(1)
    const login = await t.call('POST /login', { key: null, body: { username: 'admin@example.com', password } })
    expect([login.status, Object.keys(login.body.errors)]).toEqual([422, ['password']])
  })
})

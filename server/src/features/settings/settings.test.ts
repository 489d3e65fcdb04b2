import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newcomer, register, remind, signIn } from '../../testing/accounts.ts'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { newPhone } from '../../testing/two-factor.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const defaults = {
  'registration.enabled': true,
  'registration.email_confirmation': true,
  'registration.captcha': false,
  'registration.terms': false,
  'registration.terms_version': null,
  'registration.terms_url': null,
  'registration.default_role_id': 2,
  'registration.unconfirmed_days': 30,
  'password_reset.enabled': true,
  'password.min_length': 8,
  'password.required': true,
  'two_factor.enabled': true,
  'session.idle_minutes': 120,
  'session.absolute_hours': 720,
  'session.max_per_user': 50,
  'activity.retention_days': 365,
  'sign_ins.retention_days': 90,
  'announcements.mails_per_minute': 0,
}
const set = (body: Record<string, unknown>, key = t.adminKey) => t.call('PATCH /settings', { body, key })
const read = async () => (await t.call('GET /settings')).body.data

describe('GET /settings', () => {
  it('is one flat object with every setting and its default', async () => {
    const { status, body } = await t.call('GET /settings')
    expect({ status, body }).toEqual({ status: 200, body: { data: defaults } })
  })

  it('captcha is on by default if a provider is configured, which the answer does not show', async () => {
    const captcha = { GATEHOUSE_CAPTCHA_URL: 'hcaptcha://site:s3cret@default' }
    const other = await createTestApp(inject('postgresUrl'), captcha)
    const { body, text } = await other.call('GET /settings')
    expect(body.data).toEqual({ ...defaults, 'registration.captcha': true })
    expect(text).not.toContain('s3cret')
  })

  it('needs a permission for settings; without a credential it is 401', async () => {
    const may = async (permission: string) => {
      const role_id = await t.createRole(`role of ${permission}`, [permission])
      const { key } = await t.createUser({ role_id })
      return [(await t.call('GET /settings', { key })).status, (await set({}, key)).status]
    }
    expect(await may('settings.auth')).toEqual([200, 200])
    expect(await may('settings.general')).toEqual([200, 403])
    expect(await may('users.manage')).toEqual([403, 403])
    const { key } = await t.createUser()
    expect((await set({ 'registration.enabled': false }, key)).status).toBe(403)
    for (const route of ['GET /settings', 'PATCH /settings']) {
      expect((await t.call(route, { key: null, body: {} })).status).toBe(401)
    }
    expect(await read()).toEqual(defaults)
  })
})

describe('PATCH /settings', () => {
  it('accepts any subset and keeps the rest; unknown names are ignored and never stored', async () => {
    const body = { 'session.idle_minutes': 30, 'registration.terms_url': ' https://example.com/terms ', nonsense: 1 }
    const answer = await set({ ...body, registration: { enabled: false }, toString: 1 })
    const expected = { ...defaults, 'session.idle_minutes': 30, 'registration.terms_url': 'https://example.com/terms' }
    expect(answer).toMatchObject({ status: 200, body: { data: expected } })
    expect(answer.body.data).toEqual(expected)
    expect(await read()).toEqual(expected)
    expect((await set({})).body.data).toEqual(expected)
    const put = { ...defaults }
    expect((await t.call('PUT /settings', { body: put })).body.data).toEqual(defaults)
    const names = await t.ctx.unguarded.selectFrom('settings').select('name').execute()
    for (const { name } of names) expect(defaults).toHaveProperty([name])
  })

  const wrong: [string, unknown[]][] = [
    ['registration.enabled', [null, 'yes', 2, -1, '', [], {}]],
    ['registration.email_confirmation', [null, 'on', 2]],
    ['registration.captcha', [null, 'on', 2, true]],
    ['registration.terms', [null, 'yes', -1]],
    ['registration.terms_version', [1, true, [], 'x'.repeat(101), 'a\0b']],
    [
      'registration.terms_url',
      [1, 'javascript:alert(1)', '//example.com', 'http://a:b@example.com/', `http://x/${'y'.repeat(2000)}`],
    ],
    ['registration.default_role_id', [null, '02', 0, -1, 1.5, 4711, 2 ** 53]],
    ['password_reset.enabled', [null, 'TRUE', 2]],
    ['password.min_length', [null, '08', '7', 7, 65, 8.5, true]],
    ['two_factor.enabled', [null, 'TRUE', 2]],
    ['session.idle_minutes', [null, '01', 0, -1, 525_601, 1.5]],
    ['session.absolute_hours', [null, '01', 0, -1, 87_601, 1.5]],
  ]
  it.each(wrong)('%s: %j are 422 on the field, and nothing of the body is stored', async (name, values) => {
    const before = await read()
    for (const value of values) {
      const body = { 'session.idle_minutes': 77, 'session.absolute_hours': 77, [name]: value }
      const { status, body: answer } = await set(body)
      expect(status, JSON.stringify(value)).toBe(422)
      expect(Object.keys(answer.errors)).toEqual([name])
    }
    expect(await read()).toEqual(before)
  })

  it('names every failing field at once', async () => {
    const { body } = await set(Object.fromEntries(Object.keys(defaults).map((name) => [name, []])))
    expect(Object.keys(body.errors).sort()).toEqual(Object.keys(defaults).sort())
  })

  it('takes the bounds', async () => {
    const least = { 'password.min_length': 8, 'session.idle_minutes': 1, 'session.absolute_hours': 1 }
    const most = { 'password.min_length': 64, 'session.idle_minutes': 525_600, 'session.absolute_hours': 87_600 }
    for (const body of [least, most]) expect((await set(body)).body.data).toMatchObject(body)
    await set(defaults)
  })

  it('is recorded: which settings, by whom; an update that changes nothing is not', async () => {
    const count = async () => (await t.call('GET /activity?filter[event]=settings.updated')).body
    const before = (await count()).meta.total
    await set({ 'password.min_length': 10, 'session.idle_minutes': 120 })
    await set({ 'password.min_length': 10 })
    const { data, meta } = await count()
    expect(meta.total).toBe(before + 1)
    expect(data[0]).toMatchObject({
      actor_id: 1,
      subject_type: 'settings',
      details: { fields: ['password.min_length'] },
    })
    await set(defaults)
  })

  it('keeps both of two parallel changes', async () => {
    const numbers = Array.from({ length: 10 }, (_, index) => index + 20)
    await Promise.all(
      numbers.flatMap((number) => [set({ 'session.idle_minutes': number }), set({ 'password.min_length': number })]),
    )
    const now = await read()
    expect(numbers).toContain(now['session.idle_minutes'])
    expect(numbers).toContain(now['password.min_length'])
    await set(defaults)
  })

  it('nobody can make a role with permissions that they lack the default', async () => {
    const role_id = await t.createRole('settler', ['settings.auth'])
    const { key } = await t.createUser({ role_id })
    expect((await set({ 'registration.default_role_id': 1 }, key)).status).toBe(403)
    expect((await set({ 'registration.default_role_id': role_id, force: true }, key)).status).toBe(200)
    await set(defaults)
  })

  it('the role of new accounts gets administrator permissions only with "force", on both paths', async () => {
    const role_id = await t.createRole('everybody', ['users.manage', 'api-keys.manage'])
    const refused = await set({ 'registration.default_role_id': role_id })
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        code: 'role_of_registration',
        errors: {
          'registration.default_role_id': [
            'Everybody who registers gets this role, and with it users.manage, api-keys.manage. Send "force": true if you mean that.',
          ],
        },
      },
    ])
    expect((await set({ 'registration.default_role_id': 1 })).status).toBe(422)
    expect((await read())['registration.default_role_id']).toBe(2)
    const permissionsOf = (id: number, permissions: string[], more: object = {}) =>
      t.call(`PUT /roles/${id}/permissions`, { body: { permissions, ...more } })
    await t.call('POST /permissions', { body: { name: 'orders.read' } })
    expect((await permissionsOf(2, ['orders.read'])).status).toBe(200)
    for (const permission of ['deliveries.view', 'api-keys.manage']) {
      const widened = await permissionsOf(2, [permission])
      expect([widened.status, Object.keys(widened.body.errors)]).toEqual([422, ['permissions']])
    }
    expect((await permissionsOf(2, ['deliveries.view'], { force: false })).status).toBe(422)
    expect((await permissionsOf(2, ['deliveries.view'], { force: true })).status).toBe(200)
    expect((await permissionsOf(2, [])).status).toBe(200)
    expect((await set({ 'registration.default_role_id': role_id, force: true })).status).toBe(200)
    expect((await read()).force).toBeUndefined()
    await set(defaults)
  })

  it('a deleted role is no longer that of new accounts: they get `User`, which is guarded as theirs', async () => {
    const role_id = await t.createRole('newcomers', [])
    await set({ 'registration.default_role_id': role_id })
    expect((await t.call(`DELETE /roles/${role_id}`)).status).toBe(200)
    const now = await read()
    expect(now['registration.default_role_id']).toBe(2)
    expect((await set(now)).status).toBe(200)
    const { body } = await t.call('GET /activity?filter[event]=settings.updated&per_page=1')
    expect(body.data[0].details).toEqual({ fields: ['registration.default_role_id'] })
    const widened = await t.call('PUT /roles/2/permissions', { body: { permissions: ['users.manage'] } })
    expect([widened.status, widened.body.code]).toEqual([422, 'role_of_registration'])
  })

  it('it is not deleted where `User` would give new accounts administrator permissions', async () => {
    const role_id = await t.createRole('guarded', [])
    await set({ 'registration.default_role_id': role_id })
    const permissionsOfUser = (permissions: string[]) => t.call('PUT /roles/2/permissions', { body: { permissions } })
    expect((await permissionsOfUser(['users.manage'])).status).toBe(200)
    const refused = await t.call(`DELETE /roles/${role_id}`)
    const message =
      'Everybody who registers gets this role, and with it users.manage. Choose another role for them first.'
    expect([refused.status, refused.body]).toEqual([422, { code: 'role_of_registration', message }])
    expect((await read())['registration.default_role_id']).toBe(role_id)
    await permissionsOfUser([])
    expect((await t.call(`DELETE /roles/${role_id}`)).status).toBe(200)
  })

  it('of a role as that of new accounts and its deletion at once, no role is left that is gone', async () => {
    for (let round = 0; round < 5; round++) {
      const role_id = await t.createRole(`brief${round}`, [])
      await Promise.all([set({ 'registration.default_role_id': role_id }), t.call(`DELETE /roles/${role_id}`)])
      expect((await read())['registration.default_role_id']).toBe(2)
    }
  })

  it('takes effect at the next request, on every node', async () => {
    const node = await startNode(t)
    const { user, key } = await createAccount(t)
    const body = newPhone().body
    const off = { 'registration.enabled': false, 'password_reset.enabled': false, 'two_factor.enabled': false }
    const asked = async (at: TestApp) => [
      (await register(at, newcomer())).status,
      (await remind(at, user.email)).status,
      (await at.call(`PUT /users/${user.id}/2fa`, { body, key: t.adminKey })).status,
    ]
    await set(off)
    expect([...(await asked(node)), ...(await asked(t))]).toEqual([404, 404, 404, 404, 404, 404])
    await node.call('PATCH /settings', { body: defaults, key: t.adminKey })
    expect(await asked(t)).toEqual([201, 200, 200])
    const session = (await signIn(t, user.email)).body.token
    t.clock.advance({ minutes: 2 })
    expect((await t.call('GET /me', { key: session })).status).toBe(200)
    await node.call('PATCH /settings', { body: { 'session.idle_minutes': 1 }, key: t.adminKey })
    t.clock.advance({ minutes: 1 })
    expect((await t.call('GET /me', { key: session })).status).toBe(401)
    expect((await t.call('GET /me', { key })).status).toBe(200)
    await set(defaults)
    await node.close()
  })
})

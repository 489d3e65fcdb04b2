import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { newPhone, requestCode, turnOnTwoFactor } from '../../testing/two-factor.ts'

const off = { two_factor_country_code: null, two_factor_phone: null, two_factor_options: null }
const password = 'a password of my own'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

const fieldsOf = async (id: number) => {
  const { two_factor_country_code, two_factor_phone, two_factor_options } = (await t.call(`GET /users/${id}`)).body.data
  return { two_factor_country_code, two_factor_phone, two_factor_options }
}

/** A user with a password. */
async function createOwner(): Promise<{ id: number; email: string; key: string }> {
  const { user, key } = await t.createUser()
  await t.call(`PATCH /users/${user.id}`, { body: { password, password_confirmation: password } })
  return { id: user.id, email: user.email, key }
}

// asvs: 7.5.1
describe('own 2FA needs the current password', () => {
  it('turns it on and off with the current password and the code, and says that it was not an administrator', async () => {
    const { id, email, key } = await createOwner()
    const phone = newPhone()
    const put = await t.call('PUT /me/2fa', { key, body: { ...phone.body, current_password: password } })
    expect([put.status, put.body.message]).toEqual([200, 'Verification token sent.'])
    const token = codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
    const verified = await t.call('POST /me/2fa/verify', { key, body: { token } })
    expect(verified.body.data.two_factor_options).toEqual({ enabled: true, channel: 'sms' })
    const deleted = await t.call('DELETE /me/2fa', { key, body: { current_password: password } })
    expect([deleted.status, deleted.body.data]).toEqual([200, expect.objectContaining({ id, ...off })])
    expect((await messageTo(t, email, 'two-factor-on')).user_id).toBe(id)
    expect((await messageTo(t, email, 'two-factor-off')).body_text).not.toContain('by an administrator')
  })

  it.each([
    ['none', {}],
    ['null', { current_password: null }],
    ['an empty one', { current_password: '' }],
    ['a wrong one', { current_password: 'not my password' }],
    ['no text', { current_password: 0 }],
  ])('refuses %s on PUT and DELETE, and changes nothing', async (_what, given) => {
    const { id, key } = await createOwner()
    const put = await t.call('PUT /me/2fa', { key, body: { ...newPhone().body, ...given } })
    expect([put.status, Object.keys(put.body.errors)]).toEqual([422, ['current_password']])
    expect(await fieldsOf(id)).toEqual(off)
    await turnOnTwoFactor(t, id)
    const deleted = await t.call('DELETE /me/2fa', { key, body: given })
    expect([deleted.status, Object.keys(deleted.body.errors)]).toEqual([422, ['current_password']])
    expect((await fieldsOf(id)).two_factor_options).toEqual({ enabled: true, channel: 'sms' })
  })

  it('is required when DELETE has no body', async () => {
    const { id, key } = await createOwner()
    await turnOnTwoFactor(t, id)
    const { status, body } = await t.call('DELETE /me/2fa', { key })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['current_password']])
  })

  it('is limited to five attempts a minute', async () => {
    const { key } = await createOwner()
    const tries = Array.from({ length: 20 }, (_, n) =>
      t.call('PUT /me/2fa', { key, body: { ...newPhone().body, current_password: `guess ${n}` } }),
    )
    const statuses = (await Promise.all(tries)).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 422)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  })
})

describe('the 2FA state cannot be written in another way', () => {
  it('PATCH /users/{id} and PATCH /me/details ignore its fields', async () => {
    const { id, key } = await createOwner()
    const body = {
      two_factor_country_code: 276,
      two_factor_phone: '1701234567',
      two_factor_options: { enabled: true, channel: 'sms' },
      first_name: 'Ada',
    }
    expect((await t.call(`PATCH /users/${id}`, { body })).status).toBe(200)
    expect((await t.call('PATCH /me/details', { key, body })).status).toBe(200)
    expect(await fieldsOf(id)).toEqual(off)
  })
})

describe('the setting two_factor.enabled switched off', () => {
  it('makes PUT and verify 404; turning it off still works', async () => {
    const { id, key } = await createOwner()
    await turnOnTwoFactor(t, id)
    const other = await createOwner()
    const token = await requestCode(t, other.id)
    await t.call('PATCH /settings', { body: { 'two_factor.enabled': false } })
    onTestFinished(async () => void (await t.call('PATCH /settings', { body: { 'two_factor.enabled': true } })))
    const mine = { current_password: password }
    const answers = [
      await t.call(`PUT /users/${other.id}/2fa`, { body: newPhone().body }),
      await t.call(`POST /users/${other.id}/2fa/verify`, { body: { token } }),
      await t.call('PUT /me/2fa', { key: other.key, body: { ...newPhone().body, ...mine } }),
      await t.call('POST /me/2fa/verify', { key: other.key, body: { token } }),
    ]
    for (const { status, body } of answers) expect([status, body.message]).toEqual([404, 'Resource not found.'])
    expect((await t.call('DELETE /me/2fa', { key, body: mine })).body.data).toMatchObject(off)
    expect((await t.call(`DELETE /users/${other.id}/2fa`)).body.data).toMatchObject(off)
  })
})

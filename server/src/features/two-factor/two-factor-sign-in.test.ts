import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { cookieName } from '../../http/cookies.ts'
import type { Access } from '../../http/credentials.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo, tokenIn } from '../../testing/messages.ts'
import { refuseUpdates } from '../../testing/refuse-updates.ts'
import { newPhone, requestCode, type TestPhone, turnOnTwoFactor } from '../../testing/two-factor.ts'

/*
 * Two-factor authentication is off until it is verified. A half-finished sign-in reaches nothing. A password reset neither
 * skips nor clears it.
 */

const password = 'a password of my own'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

async function createOwner(): Promise<{ id: number; email: string }> {
  const { user } = await t.createUser()
  await t.call(`PATCH /users/${user.id}`, { body: { password, password_confirmation: password } })
  return { id: user.id, email: user.email }
}

async function createProtected(): Promise<{ id: number; email: string; phone: TestPhone }> {
  const user = await createOwner()
  return { ...user, phone: await turnOnTwoFactor(t, user.id) }
}

const login = (email: string, more: object = {}) =>
  t.call('POST /login', { key: null, body: { username: email, password, ...more } })

const cookie = (value: string) => ({ cookie: `${cookieName(t.ctx.config)}=${value}`, origin: 'http://gatehouse.test' })

const loginCode = async (phone: TestPhone) => codeIn(await messageTo(t, phone.e164, 'two-factor-login'))

describe('signing in', () => {
  it('asks users who have it on for the code, which gives a session', async () => {
    const { id, email, phone } = await createProtected()
    const { status, body } = await login(email, { device_name: "Ada's phone" })
    expect([status, body]).toEqual([
      200,
      { two_factor_required: true, challenge: expect.any(String), methods: ['sms'] },
    ])
    const sms = await messageTo(t, phone.e164, 'two-factor-login')
    expect(sms).toMatchObject({ kind: 'sms', secret: 1, user_id: id })
    expect(sms.body_text).toContain('signs you in at Gatehouse')
    expect(sms.body_text).toContain('Never share it')
    const finished = await t.call('POST /login/2fa', {
      key: null,
      body: { challenge: body.challenge, token: codeIn(sms) },
    })
    const { token } = finished.body
    expect((await t.call('GET /me', { key: token })).body.data.id).toBe(id)
    expect((await t.call('GET /me/sessions', { key: token })).body.data[0].device).toBe("Ada's phone")
  })

  it('remembers the choice of a cookie in the second step', async () => {
    const { email, phone } = await createProtected()
    const first = await login(email, { cookie: true })
    expect(first.headers['set-cookie']).toBeUndefined()
    const body = { challenge: first.body.challenge, token: await loginCode(phone) }
    const second = await t.call('POST /login/2fa', { key: null, body })
    expect(second.body).toEqual({ success: true })
    expect(second.headers['set-cookie']).toBeDefined()
  })

  it.each([
    ['use of the factor', 'last_used_at', 'factors'],
    ['count of the attempts', 'count', 'tries'],
  ])('begins no session when the %s cannot be written', async (_, column, table) => {
    const { id, email, phone } = await createProtected()
    const { challenge } = (await login(email)).body
    const body = { challenge, token: await loginCode(phone) }
    const sessions = () => t.ctx.unguarded.selectFrom('sessions').select('id').where('user_id', '=', id).execute()
    await t.ctx.unguarded.deleteFrom('tries').execute() // the next attempt is a new row
    const allow = await refuseUpdates(t, column, table)
    const refused = await t.call('POST /login/2fa', { key: null, body }).finally(allow)
    expect([refused.status, await sessions()]).toEqual([500, []])
    expect((await t.call('POST /login/2fa', { key: null, body })).status).toBe(200)
  })

  it('does not ask for a pending number: it is off until verified', async () => {
    const { id, email } = await createOwner()
    await requestCode(t, id)
    expect((await login(email)).body).toEqual({ token: expect.any(String) })
  })

  it('still asks while the feature is switched off', async () => {
    const { email } = await createProtected()
    await t.call('PATCH /settings', { body: { 'two_factor.enabled': false } })
    onTestFinished(async () => void (await t.call('PATCH /settings', { body: { 'two_factor.enabled': true } })))
    expect((await login(email)).body.two_factor_required).toBe(true)
  })

  it('asks no more once it is turned off', async () => {
    const { id, email } = await createProtected()
    await t.call(`DELETE /users/${id}/2fa`)
    expect((await login(email)).body).toEqual({ token: expect.any(String) })
  })

  it('sends no code after a wrong password', async () => {
    const { email, phone } = await createProtected()
    expect((await login(email, { password: 'not the password' })).status).toBe(422)
    await expect(loginCode(phone)).rejects.toThrow('no two-factor-login')
  })

  it('sends codes to the typed number if an import left no verified one', async () => {
    const { id, email } = await createOwner()
    const phone = newPhone()
    await t.ctx.unguarded
      .updateTable('users')
      .set({ two_factor_country_code: 276, two_factor_phone: phone.body.phone_number })
      .set({ two_factor_options: '{"enabled":true,"channel":"sms"}' })
      .where('id', '=', id)
      .execute()
    await t.ctx.unguarded
      .insertInto('factors')
      .values({ user_id: id, type: 'sms', name: '', verified: 1, secret: null, created_at: '2026-01-01 00:00:00' })
      .execute()
    expect((await login(email)).body.two_factor_required).toBe(true)
    expect(await loginCode(phone)).toMatch(/^\d{6}$/)
  })
})

describe('half signed in', () => {
  // asvs: 2.3.1
  it('reaches nothing: every route that is not public answers the challenge with 401, as bearer and as cookie', async () => {
    const { email } = await createProtected()
    const { challenge } = (await login(email, { cookie: true })).body
    const guarded = t.app.routeTable.filter(({ config }) => {
      const access = (config as { access?: Access } | undefined)?.access
      return access !== undefined && !('public' in access)
    })
    expect(guarded.length).toBeGreaterThan(40)
    const reached: string[] = []
    for (const { method, url } of guarded) {
      for (const verb of [method].flat()) {
        for (const headers of [{ authorization: `Bearer ${challenge}` }, cookie(challenge)]) {
          const path = url.replaceAll(':id', '1').replaceAll(/:\w+/g, 'x')
          const { statusCode } = await t.app.inject({ method: verb as 'GET', url: path, headers })
          if (statusCode !== 401) reached.push(`${verb} ${path} ${statusCode}`)
        }
      }
    }
    expect(reached).toEqual([])
  })

  // asvs: 6.4.3
  it('a reset neither skips nor clears it, and voids the earlier challenge', async () => {
    const { id, email, phone } = await createProtected()
    const { challenge } = (await login(email)).body
    const oldCode = await loginCode(phone)
    const before = (await t.call(`GET /users/${id}`)).body.data
    await t.call('POST /password/remind', { key: null, body: { email } })
    const token = tokenIn(await messageTo(t, email, 'reset-password'))
    const next = 'another password of mine'
    const body = { token, email, password: next, password_confirmation: next }
    const reset = await t.call('POST /password/reset', { key: null, body })
    expect([reset.status, reset.body]).toEqual([200, { success: true }])
    expect(reset.headers['set-cookie']).toBeUndefined()
    const { two_factor_country_code, two_factor_phone, two_factor_options } = before
    expect((await t.call(`GET /users/${id}`)).body.data).toMatchObject({
      two_factor_country_code,
      two_factor_phone,
      two_factor_options,
    })
    const stale = await t.call('POST /login/2fa', { key: null, body: { challenge, token: oldCode } })
    expect(stale.status).toBe(422)
    const again = await login(email, { password: next })
    expect(again.body).toEqual({ two_factor_required: true, challenge: expect.any(String), methods: ['sms'] })
  })
})

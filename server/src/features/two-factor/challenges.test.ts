import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { addTotp, totpCode } from '../../testing/totp.ts'
import { turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'
import { createOwner, login, signIn } from '../sessions/sessions-test-steps.ts'
import { answer, challengeFor, createAppUser } from './totp-test-steps.ts'

/* The second step of a sign-in over all methods. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t)
})
afterAll(() => t.close())

describe('a challenge', () => {
  async function withBoth() {
    const made = await createAppUser(t)
    const phone = await turnOnTwoFactor(t, made.user.id)
    return { ...made, phone, codes: made.on.body.recovery_codes as string[] }
  }

  // asvs: 6.6.1
  it('offers the app first, and sends an SMS only when it is asked for', async () => {
    const { user, phone } = await withBoth()
    const { challenge, methods } = (await login(t, user.email)).body
    expect(methods).toEqual(['totp', 'sms', 'recovery_code'])
    await expect(messageTo(t, phone.e164, 'two-factor-login')).rejects.toThrow('no two-factor-login')
    const sent = await t.call('POST /login/2fa/sms', { key: null, body: { challenge } })
    expect([sent.status, sent.body]).toEqual([200, { success: true }])
    const { body_text } = await messageTo(t, phone.e164, 'two-factor-login')
    const token = /\d{6}/.exec(body_text ?? '')?.[0]
    expect((await answer(t, challenge, { token })).status).toBe(422) // six digits are the app's, unless it is said
    const { status } = await answer(t, challenge, { token, method: 'sms' })
    expect(status).toBe(200)
    const { body } = await t.call(`GET /users/${user.id}/sign-ins`)
    expect(body.data[0]).toMatchObject({ success: true, method: 'sms', reason: null })
    const { data } = (await t.call(`GET /users/${user.id}/activity?filter[event]=user.signed_in`)).body
    expect(data[0].details).toEqual({ method: 'sms', preferred: 'totp' })
  })

  it('sends no SMS to who has an app alone, and says that it is SMS that is off', async () => {
    const { user, key } = await createAppUser(t)
    const { challenge } = (await login(t, user.email)).body
    const refused = [
      await t.call('POST /login/2fa/sms', { key: null, body: { challenge } }),
      await t.call('POST /me/reauthenticate/sms', { key }),
    ]
    const message = '2FA by SMS is not enabled for this user.'
    for (const { status, body } of refused)
      expect([status, body]).toEqual([422, { message, code: 'two_factor_not_enabled' }])
  })

  it('that parallel right answers meet uses up one of them', async () => {
    const { user, secret, key, codes } = await withBoth()
    const tokens = [...codes.slice(0, 3), totpCode(t, secret)]
    const challenge = await challengeFor(t, user.email)
    const answers = await Promise.all(tokens.map((token, index) => answer(index % 2 ? t : node, challenge, { token })))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { recovery_codes_left: left } = (await t.call('GET /me/factors', { key })).body.meta
    const isCode = answers.findIndex(({ status }) => status === 200) < 3
    expect(left).toBe(isCode ? 9 : 10)
    if (isCode) expect((await answer(t, await challengeFor(t, user.email), { token: tokens[3] })).status).toBe(200)
  })

  it('takes the code of the SMS that it sent, though the user added an app meanwhile', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const { e164 } = await turnOnTwoFactor(t, user.id)
    const { challenge, methods } = (await login(t, user.email)).body
    expect(methods[0]).toBe('sms')
    const token = codeIn(await messageTo(t, e164, 'two-factor-login'))
    await addTotp(t, user.id)
    expect((await answer(t, challenge, { token })).status).toBe(200)
    expect((await t.call('GET /me', { key })).body.data.two_factor_options.channel).toBe('totp')
  })

  // asvs: 6.3.1, 6.6.3
  it('ends after five wrong answers over all methods together', async () => {
    const { user, secret, codes } = await withBoth()
    const challenge = await challengeFor(t, user.email)
    await t.call('POST /login/2fa/sms', { key: null, body: { challenge } })
    const [one, two] = wrongCodes(totpCode(t, secret, 20), 2)
    const wrong = [
      { token: one },
      { token: two, method: 'sms' },
      { token: 'aaaaa-aaaaa' },
      { token: one, method: 'sms' },
      { token: 'bbbbb-bbbbb', method: 'recovery_code' },
    ]
    for (const body of wrong) expect((await answer(t, challenge, body)).status).toBe(422)
    expect((await answer(t, challenge, { token: totpCode(t, secret) })).status).toBe(422)
    expect((await answer(t, challenge, { token: codes[0] })).status).toBe(422)
    expect((await t.call('POST /login/2fa/sms', { key: null, body: { challenge } })).status).toBe(422)
  })

  it('evaluates at most 20 wrong answers an hour for one account, over all methods', async () => {
    const { user, secret } = await withBoth()
    const statuses: number[] = []
    for (let round = 0; round < 5; round++) {
      t.clock.advance({ minutes: 2 })
      const challenge = await challengeFor(t, user.email)
      for (const token of ['aaaaa-aaaaa', 'bbbbb-bbbbb', ...wrongCodes(totpCode(t, secret, 20), 3)]) {
        statuses.push((await answer(t, challenge, { token })).status)
      }
    }
    expect(statuses.slice(0, 20).every((status) => status === 422)).toBe(true)
    expect(statuses.slice(20)).toEqual(Array(5).fill(429))
    expect((await messageTo(t, user.email, 'too-many-codes')).user_id).toBe(user.id)
  })

  it('ends with a ban, a new password and a removed factor', async () => {
    const ends: ((id: number, factor: number) => Promise<unknown>)[] = [
      (id) => t.call(`PATCH /users/${id}`, { body: { status: 'Banned' } }),
      (id) =>
        t.call(`PATCH /users/${id}`, {
          body: { password: 'some other words', password_confirmation: 'some other words' },
        }),
      (id, factor) => t.call(`DELETE /users/${id}/factors/${factor}`),
    ]
    for (const end of ends) {
      const { user, secret, id } = await createAppUser(t)
      const challenge = await challengeFor(t, user.email)
      await end(user.id, id)
      expect((await answer(t, challenge, { token: totpCode(t, secret) })).status).toBe(422)
    }
  })

  it.each([
    ['nothing', {}],
    ['null', { token: null }],
    ['an empty text', { token: '' }],
    ['true', { token: true }],
    ['a list', { token: [] }],
    ['an object', { token: {} }],
    ['an unknown method', { token: '123456', method: 'carrier pigeon' }],
    ['a passkey that is none', { credential: { id: 'x' } }],
    ['a passkey as text', { credential: 'x' }],
  ])('refuses %s', async (_, body) => {
    const { user } = await createAppUser(t)
    expect((await answer(t, await challengeFor(t, user.email), body)).status).toBe(422)
  })
})

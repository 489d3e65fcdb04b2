import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { addTotp, totpCode } from '../../testing/totp.ts'
import { requestCode, turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'
import { createOwner, login, signIn, startNode } from '../sessions/sessions-test-steps.ts'
import { challengeFor, createAppUser, proof } from './totp-test-steps.ts'

/* The second step of a sign-in over all methods, recovery codes, and the list of factors. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t, inject('postgresUrl'))
})
afterAll(async () => {
  await node.close()
  await t.close()
})

const withApp = () => createAppUser(t)
const challengeOf = (username: string) => challengeFor(t, username)
const answer = (challenge: string, body: object, app = t) =>
  app.call('POST /login/2fa', { key: null, body: { challenge, ...body } })

describe('a challenge', () => {
  async function withBoth() {
    const made = await withApp()
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
    expect((await answer(challenge, { token })).status).toBe(422) // six digits are the app's, unless it is said
    const { status } = await answer(challenge, { token, method: 'sms' })
    expect(status).toBe(200)
    const { body } = await t.call(`GET /users/${user.id}/sign-ins`)
    expect(body.data[0]).toMatchObject({ success: true, method: 'sms', reason: null })
    const { data } = (await t.call(`GET /users/${user.id}/activity?filter[event]=user.signed_in`)).body
    expect(data[0].details).toEqual({ method: 'sms', preferred: 'totp' })
  })

  it('sends no SMS to who has an app alone, and says that it is SMS that is off', async () => {
    const { user, key } = await withApp()
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
    const challenge = await challengeOf(user.email)
    const answers = await Promise.all(tokens.map((token, index) => answer(challenge, { token }, index % 2 ? t : node)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { recovery_codes_left: left } = (await t.call('GET /me/factors', { key })).body.meta
    const isCode = answers.findIndex(({ status }) => status === 200) < 3
    expect(left).toBe(isCode ? 9 : 10)
    if (isCode) expect((await answer(await challengeOf(user.email), { token: tokens[3] })).status).toBe(200)
  })

  it('takes the code of the SMS that it sent, though the user added an app meanwhile', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const { e164 } = await turnOnTwoFactor(t, user.id)
    const { challenge, methods } = (await login(t, user.email)).body
    expect(methods[0]).toBe('sms')
    const token = codeIn(await messageTo(t, e164, 'two-factor-login'))
    await addTotp(t, user.id)
    expect((await answer(challenge, { token })).status).toBe(200)
    expect((await t.call('GET /me', { key })).body.data.two_factor_options.channel).toBe('totp')
  })

  // asvs: 6.3.1, 6.6.3
  it('ends after five wrong answers over all methods together', async () => {
    const { user, secret, codes } = await withBoth()
    const challenge = await challengeOf(user.email)
    await t.call('POST /login/2fa/sms', { key: null, body: { challenge } })
    const [one, two] = wrongCodes(totpCode(t, secret, 20), 2)
    const wrong = [
      { token: one },
      { token: two, method: 'sms' },
      { token: 'aaaaa-aaaaa' },
      { token: one, method: 'sms' },
      { token: 'bbbbb-bbbbb', method: 'recovery_code' },
    ]
    for (const body of wrong) expect((await answer(challenge, body)).status).toBe(422)
    expect((await answer(challenge, { token: totpCode(t, secret) })).status).toBe(422)
    expect((await answer(challenge, { token: codes[0] })).status).toBe(422)
    expect((await t.call('POST /login/2fa/sms', { key: null, body: { challenge } })).status).toBe(422)
  })

  it('evaluates at most 20 wrong answers an hour for one account, over all methods', async () => {
    const { user, secret } = await withBoth()
    const statuses: number[] = []
    for (let round = 0; round < 5; round++) {
      t.clock.advance({ minutes: 2 })
      const challenge = await challengeOf(user.email)
      for (const token of ['aaaaa-aaaaa', 'bbbbb-bbbbb', ...wrongCodes(totpCode(t, secret, 20), 3)]) {
        statuses.push((await answer(challenge, { token })).status)
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
      const { user, secret, id } = await withApp()
      const challenge = await challengeOf(user.email)
      await end(user.id, id)
      expect((await answer(challenge, { token: totpCode(t, secret) })).status).toBe(422)
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
    const { user } = await withApp()
    expect((await answer(await challengeOf(user.email), body)).status).toBe(422)
  })
})

describe('recovery codes', () => {
  // asvs: 6.5.1, 6.5.2
  it('sign in once each, in any case, also in 50 parallel tries', async () => {
    const { user, on } = await withApp()
    const [first, second] = on.body.recovery_codes as string[]
    const challenge = await challengeOf(user.email)
    const tries = Array.from({ length: 50 }, (_, index) => answer(challenge, { token: first }, index % 2 ? t : node))
    const right = (await Promise.all(tries)).filter(({ status }) => status === 200)
    expect(right).toHaveLength(1)
    expect((await answer(await challengeOf(user.email), { token: first })).status).toBe(422)
    t.clock.advance({ seconds: 60 }) // the wrong answers count against the sign-ins of a minute
    const shouted = ` ${second?.toUpperCase().replace('-', '')} `
    expect((await answer(await challengeOf(user.email), { token: shouted })).status).toBe(200)
    const { meta } = (await t.call('GET /me/factors', { key: right[0]?.body.token })).body
    expect(meta.recovery_codes_left).toBe(8)
  })

  it('are hashed in the database', async () => {
    const { on } = await withApp()
    const contents = await dumpDatabase(t)
    for (const code of on.body.recovery_codes as string[]) {
      expect(contents).not.toContain(code)
      expect(contents).not.toContain(code.replace('-', ''))
    }
  })

  it('warn by mail when two are left', async () => {
    const { user, on } = await withApp()
    for (const [index, token] of (on.body.recovery_codes as string[]).slice(0, 8).entries()) {
      if (index > 0) await expect(messageTo(t, user.email, 'recovery-codes-low')).rejects.toThrow('no recovery')
      expect((await answer(await challengeOf(user.email), { token })).status).toBe(200)
    }
    expect((await messageTo(t, user.email, 'recovery-codes-low')).body_text).toContain('2 are left')
  })

  it('are made anew with the current password, and the old ones are void', async () => {
    const { user, key, on } = await withApp()
    expect((await t.call('POST /me/recovery-codes', { key, body: {} })).status).toBe(422)
    const { status, body } = await t.call('POST /me/recovery-codes', { key, body: proof })
    expect([status, body.recovery_codes.length]).toEqual([200, 10])
    const challenge = await challengeOf(user.email)
    expect((await answer(challenge, { token: on.body.recovery_codes[0] })).status).toBe(422)
    expect((await answer(challenge, { token: body.recovery_codes[0] })).status).toBe(200)
  })

  it('need a second factor beside them, and are void with the last one', async () => {
    const user = await createOwner(t)
    const none = await t.call('POST /me/recovery-codes', { key: await signIn(t, user), body: proof })
    expect([none.status, none.body.code]).toEqual([422, 'two_factor_not_enabled'])
    const { key, id } = await withApp()
    expect((await t.call(`DELETE /me/factors/${id}`, { key, body: proof })).status).toBe(200)
    expect((await t.call('GET /me/factors', { key })).body).toEqual({ data: [], meta: { recovery_codes_left: 0 } })
    const { secret, id: next } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const on = await t.call(`POST /me/factors/totp/${next}/verify`, { key, body: { token: totpCode(t, secret) } })
    expect(on.body.recovery_codes).toHaveLength(10)
  })

  it('come with the factor that turns out to be the first, where the others are removed while it is turned on', async () => {
    const enrol = {
      app: async (key: string) => {
        const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
        return () => t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
      },
      phone: async (key: string, userId: number) => {
        const token = await requestCode(t, userId)
        return () => t.call('POST /me/2fa/verify', { key, body: { token } })
      },
    }
    for (const begin of Object.values(enrol)) {
      const { user, key, id } = await withApp()
      const turnOn = await begin(key, user.id)
      const { transaction } = t.ctx
      Object.assign(t.ctx, {
        transaction: async (...[actor, work]: Parameters<typeof transaction>) => {
          Object.assign(t.ctx, { transaction })
          expect((await t.call(`DELETE /users/${user.id}/factors/${id}`)).status).toBe(200)
          return transaction(actor, work)
        },
      })
      const on = await turnOn()
      expect([on.status, on.body.recovery_codes?.length]).toEqual([200, 10])
      const { data, meta } = (await t.call('GET /me/factors', { key })).body
      expect([data.length, meta.recovery_codes_left]).toEqual([1, 10])
    }
  })

  it('come with the first factor only, and never to an administrator', async () => {
    const { key, user } = await withApp()
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const on = await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    expect(on.body).toEqual({ data: expect.objectContaining({ verified: true }) })
    const list = await t.call(`GET /users/${user.id}/factors`)
    expect(list.body.meta).toEqual({ recovery_codes_left: 10 })
    expect(list.text).not.toContain('recovery_codes"')
  })
})

describe('factors of a user', () => {
  it('are listed and removed by an administrator who holds all of the user’s permissions; the user hears of it', async () => {
    const { user, id } = await withApp()
    const { data } = (await t.call(`GET /users/${user.id}/factors`)).body
    expect(data).toEqual([expect.objectContaining({ id, type: 'totp', name: 'Phone', verified: true })])
    const manager = await t.createUser({ role_id: await t.createRole('Keepers', ['users.manage']) })
    expect((await t.call('GET /users/1/factors', { key: manager.key })).status).toBe(200)
    const removed = await t.call(`DELETE /users/${user.id}/factors/${id}`, { key: manager.key })
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    expect((await messageTo(t, user.email, 'two-factor-off')).body_text).toContain('by an administrator')
    expect((await t.call(`DELETE /users/${user.id}/factors/${id}`)).status).toBe(404)
    const { data: events } = (await t.call(`GET /users/${user.id}/activity?filter[event]=user.factor_removed`)).body
    expect(events[0].details).toEqual({ type: 'totp' })
  })

  // asvs: 6.4.4
  it('that are lost are replaced with no less than they were added with: the password, and a recovery code or an administrator', async () => {
    const { user, id, on } = await withApp()
    expect((await login(t, user.email)).body.token).toBeUndefined() // the password alone
    const { token: key } = (await answer(await challengeOf(user.email), { token: on.body.recovery_codes[0] })).body
    const remove = (body: object) => t.call(`DELETE /me/factors/${id}`, { key, body })
    expect((await remove({})).body.errors).toHaveProperty('current_password')
    expect((await remove(proof)).status).toBe(200)

    const other = await withApp()
    await t.call(`DELETE /users/${other.user.id}/factors/${other.id}`)
    const again = await signIn(t, other.user)
    const add = (body: object) => t.call('POST /me/factors/totp', { key: again, body })
    expect((await add({})).body.errors).toHaveProperty('current_password')
    expect((await add(proof)).status).toBe(201)
  })

  it('of somebody above are not touched', async () => {
    const boss = await createOwner(t, { role_id: 1 })
    const key = await signIn(t, boss)
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    const manager = await t.createUser({ role_id: await t.createRole('Door keepers', ['users.manage']) })
    const { status, body } = await t.call(`DELETE /users/${boss.id}/factors/${id}`, { key: manager.key })
    expect([status, body.code]).toEqual([403, 'user_above_you'])
  })

  it('SMS goes on and off by its own letter, whatever else is on', async () => {
    const { user } = await withApp()
    const off = await t.call(`DELETE /users/${user.id}/2fa`)
    expect([off.status, off.body.code]).toEqual([422, 'two_factor_not_enabled'])
    const phone = await turnOnTwoFactor(t, user.id)
    const { data } = (await t.call(`GET /users/${user.id}`)).body
    expect(data).toMatchObject({
      two_factor_phone: phone.body.phone_number,
      two_factor_options: { enabled: true, channel: 'totp' },
    })
    const gone = await t.call(`DELETE /users/${user.id}/2fa`)
    expect(gone.body.data).toMatchObject({
      two_factor_phone: null,
      two_factor_options: { enabled: true, channel: 'totp' },
    })
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo } from '../../testing/messages.ts'
import { totpCode } from '../../testing/totp.ts'
import { wrapTransactions } from '../../testing/transactions.ts'
import { requestCode } from '../../testing/two-factor.ts'
import { createOwner, signIn } from '../sessions/sessions-test-steps.ts'
import { answer, challengeFor, createAppUser, proof } from './totp-test-steps.ts'

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t)
})
afterAll(() => t.close())

describe('recovery codes', () => {
  // asvs: 6.5.1, 6.5.2
  it('sign in once each, in any case, also in 50 parallel tries', async () => {
    const { user, on } = await createAppUser(t)
    const [first, second] = on.body.recovery_codes as string[]
    const challenge = await challengeFor(t, user.email)
    const tries = Array.from({ length: 50 }, (_, index) => answer(index % 2 ? t : node, challenge, { token: first }))
    const right = (await Promise.all(tries)).filter(({ status }) => status === 200)
    expect(right).toHaveLength(1)
    expect((await answer(t, await challengeFor(t, user.email), { token: first })).status).toBe(422)
    t.clock.advance({ seconds: 60 }) // the wrong answers count against the sign-ins of a minute
    const shouted = ` ${second?.toUpperCase().replace('-', '')} `
    expect((await answer(t, await challengeFor(t, user.email), { token: shouted })).status).toBe(200)
    const { meta } = (await t.call('GET /me/factors', { key: right[0]?.body.token })).body
    expect(meta.recovery_codes_left).toBe(8)
  })

  it('are hashed in the database', async () => {
    const { on } = await createAppUser(t)
    const contents = await dumpDatabase(t)
    for (const code of on.body.recovery_codes as string[]) {
      expect(contents).not.toContain(code)
      expect(contents).not.toContain(code.replace('-', ''))
    }
  })

  it('warn by mail when two are left', async () => {
    const { user, on } = await createAppUser(t)
    for (const [index, token] of (on.body.recovery_codes as string[]).slice(0, 8).entries()) {
      if (index > 0) await expect(messageTo(t, user.email, 'recovery-codes-low')).rejects.toThrow('no recovery')
      expect((await answer(t, await challengeFor(t, user.email), { token })).status).toBe(200)
    }
    expect((await messageTo(t, user.email, 'recovery-codes-low')).body_text).toContain('2 are left')
  })

  it('warn in the transaction that uses the code: it is lost with no other', async () => {
    const t = await createTestApp(inject('postgresUrl'))
    const { user, on } = await createAppUser(t)
    const codes = on.body.recovery_codes as string[]
    for (const token of codes.slice(0, 7)) await answer(t, await challengeFor(t, user.email), { token })
    const challenge = await challengeFor(t, user.email)
    let transactions = 0
    wrapTransactions(t, (transaction) => (actor, work) => {
      if (++transactions > 1) throw new Error('the service was killed')
      return transaction(actor, work)
    })
    expect((await answer(t, challenge, { token: codes[7] })).status).toBe(200)
    expect((await messageTo(t, user.email, 'recovery-codes-low')).user_id).toBe(user.id)
  })

  it('are made anew with the current password, and the old ones are void', async () => {
    const { user, key, on } = await createAppUser(t)
    expect((await t.call('POST /me/recovery-codes', { key, body: {} })).status).toBe(422)
    const { status, body } = await t.call('POST /me/recovery-codes', { key, body: proof })
    expect([status, body.recovery_codes.length]).toEqual([200, 10])
    const challenge = await challengeFor(t, user.email)
    expect((await answer(t, challenge, { token: on.body.recovery_codes[0] })).status).toBe(422)
    expect((await answer(t, challenge, { token: body.recovery_codes[0] })).status).toBe(200)
  })

  it('need a second factor beside them, and are void with the last one', async () => {
    const user = await createOwner(t)
    const none = await t.call('POST /me/recovery-codes', { key: await signIn(t, user), body: proof })
    expect([none.status, none.body.code]).toEqual([422, 'two_factor_not_enabled'])
    const { key, id } = await createAppUser(t)
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
      const { user, key, id } = await createAppUser(t)
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
    const { key, user } = await createAppUser(t)
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const on = await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    expect(on.body).toEqual({ data: expect.objectContaining({ verified: true }) })
    const list = await t.call(`GET /users/${user.id}/factors`)
    expect(list.body.meta).toEqual({ recovery_codes_left: 10 })
    expect(list.text).not.toContain('recovery_codes"')
  })
})

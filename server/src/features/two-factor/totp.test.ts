import { Secret } from 'otpauth'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo } from '../../testing/messages.ts'
import { codeAt, totpCode } from '../../testing/totp.ts'
import { wrongCodes } from '../../testing/two-factor.ts'
import { createOwner, login, signIn } from '../sessions/sessions-test-steps.ts'
import { findStep, toSpendTotpCode } from './methods/totp.ts'
import { answer, challengeFor, createAppUser, proof } from './totp-test-steps.ts'

/* Authenticator apps: as RFC 6238 has them, each code once, one step early or late, and no secret in the database. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t)
})
afterAll(() => t.close())

describe('an authenticator app', () => {
  // RFC 6238, appendix B, with the last six digits.
  it.each([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ])('shows what the RFC says at %i seconds', (seconds, code) => {
    const secret = new Secret({ buffer: new TextEncoder().encode('12345678901234567890').buffer }).base32
    expect(codeAt(secret, seconds, 8)).toBe(code)
    expect(findStep(secret, code.slice(2), seconds * 1000)).toBe(Math.floor(seconds / 30))
  })

  // asvs: 6.5.5
  it('is right one step early and one step late, and no further', async () => {
    const { user, secret } = await createAppUser(t)
    for (const [steps, status] of [
      [-2, 422],
      [2, 422],
      [-1, 200],
      [1, 200],
      [0, 200],
    ] as const) {
      const { status: got } = await answer(t, await challengeFor(t, user.email), { token: totpCode(t, secret, steps) })
      expect([steps, got]).toEqual([steps, status])
    }
  })

  it('is enrolled with a secret, an address and a picture, and counts once a code of it was typed', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const { status, body } = await t.call('POST /me/factors/totp', { key, body: { ...proof, name: 'My phone' } })
    expect(status).toBe(201)
    expect(body.data).toEqual({
      id: expect.any(Number),
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringMatching(/^otpauth:\/\/totp\/Gatehouse:.*[?&]secret=[A-Z2-7]{32}/),
      qr: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
    })
    expect((await login(t, user.email)).body).toEqual({ token: expect.any(String) })
    const { data, meta } = (await t.call('GET /me/factors', { key })).body
    expect(data).toEqual([expect.objectContaining({ type: 'totp', name: 'My phone', verified: false })])
    expect(meta).toEqual({ recovery_codes_left: 0 })
    expect((await t.call('GET /me', { key })).body.data.two_factor_options).toBeNull()
  })

  it('can be turned on for less than an hour', async () => {
    const begun = async () => {
      const key = await signIn(t, await createOwner(t))
      const { id, secret } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
      return () => t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    }
    const [early, late] = [await begun(), await begun()]
    t.clock.advance({ minutes: 59, seconds: 59 })
    expect((await early()).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect((await late()).status).toBe(422)
  })

  it('once on, gives ten recovery codes, is the preferred factor, and the user hears of it', async () => {
    const { user, key, on } = await createAppUser(t)
    expect(on.status).toBe(200)
    expect(on.body).toEqual({
      data: expect.objectContaining({ type: 'totp', name: 'Phone', verified: true }),
      recovery_codes: expect.any(Array),
    })
    expect(new Set(on.body.recovery_codes).size).toBe(10)
    for (const code of on.body.recovery_codes) expect(code).toMatch(/^[0-9a-z]{5}-[0-9a-z]{5}$/)
    const me = (await t.call('GET /me', { key })).body.data
    expect(me.two_factor_options).toEqual({ enabled: true, channel: 'totp' })
    expect((await messageTo(t, user.email, 'two-factor-on')).body_text).toContain('Authenticator app “Phone”')
    const { body } = await login(t, user.email)
    expect(body).toEqual({
      two_factor_required: true,
      challenge: expect.any(String),
      methods: ['totp', 'recovery_code'],
    })
  })

  // asvs: 6.5.1
  it('each code works once: in 50 parallel tries on two nodes, and later', async () => {
    const { user, secret } = await createAppUser(t)
    const token = totpCode(t, secret)
    const challenge = await challengeFor(t, user.email)
    const tries = Array.from({ length: 50 }, (_, index) => answer(index % 2 === 0 ? t : node, challenge, { token }))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await answer(t, await challengeFor(t, user.email), { token })).status).toBe(422)
  })

  it('a code that turned it on does not sign in as well', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const token = totpCode(t, secret)
    expect((await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token } })).status).toBe(200)
    expect((await answer(t, await challengeFor(t, user.email), { token })).status).toBe(422)
  })

  it('that is removed while its code is looked at has none', async () => {
    const { user, id, secret } = await createAppUser(t)
    const factor = await t.ctx.db.selectFrom('factors').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const spend = toSpendTotpCode(t.ctx, factor, totpCode(t, secret))
    expect((await t.call(`DELETE /users/${user.id}/factors/${id}`)).status).toBe(200)
    expect(await spend?.(t.ctx.unguarded)).toBe(false)
  })

  it('five wrong codes end its enrolment', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const right = totpCode(t, secret)
    for (const token of wrongCodes(right, 5)) {
      expect((await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token } })).status).toBe(422)
    }
    expect((await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: right } })).status).toBe(422)
  })

  it('has its secret sealed in the database, and never shows it again', async () => {
    const { key, secret } = await createAppUser(t)
    expect(await dumpDatabase(t)).not.toContain(secret)
    expect((await t.call('GET /me/factors', { key })).text).not.toContain(secret)
  })

  it('needs the current password to be added, and is nobody else’s to verify', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    expect((await t.call('POST /me/factors/totp', { key, body: {} })).status).toBe(422)
    const wrong = await t.call('POST /me/factors/totp', { key, body: { current_password: 'not it' } })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'current_password_wrong'])
    const { id, secret } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const other = await signIn(t, await createOwner(t))
    const token = totpCode(t, secret)
    expect((await t.call(`POST /me/factors/totp/${id}/verify`, { key: other, body: { token } })).status).toBe(404)
    expect((await t.call('POST /me/factors/totp/0x1/verify', { key, body: { token } })).status).toBe(404)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo } from '../../testing/messages.ts'
import { totpCode } from '../../testing/totp.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { createOwner, login, signIn } from '../sessions/sessions-test-steps.ts'
import { answer, challengeFor, createAppUser, proof } from './totp-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

describe('factors of a user', () => {
  it('are listed and removed by an administrator who holds all of the user’s permissions; the user hears of it', async () => {
    const { user, id } = await createAppUser(t)
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
    const { user, id, on } = await createAppUser(t)
    expect((await login(t, user.email)).body.token).toBeUndefined() // the password alone
    const { token: key } = (await answer(t, await challengeFor(t, user.email), { token: on.body.recovery_codes[0] }))
      .body
    const remove = (body: object) => t.call(`DELETE /me/factors/${id}`, { key, body })
    expect((await remove({})).body.errors).toHaveProperty('current_password')
    expect((await remove(proof)).status).toBe(200)

    const other = await createAppUser(t)
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
    const { user } = await createAppUser(t)
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

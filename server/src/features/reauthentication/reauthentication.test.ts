import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { Authenticator, addPasskey } from '../../testing/authenticator.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { addTotp, newTotpSecret, totpCode } from '../../testing/totp.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { createOwner, createRacingApp, handleOf, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/* What gives power or takes protection away needs a proof of identity that is at most 15 minutes old. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t)
})
afterAll(() => t.close())
beforeEach(() => t.clock.advance({ minutes: 11 })) // failures of a network are counted for ten

const proof = { current_password: password }
const needed = 'reauthentication_required'

/** An administrator's session that began 16 minutes ago. */
async function stale() {
  const user = await createOwner(t, { role_id: 1 })
  const key = await signIn(t, user)
  const call = (request: string, body?: unknown) => t.call(request, { key, ...(body === undefined ? {} : { body }) })
  t.clock.advance({ minutes: 15, seconds: 1 })
  return { user, key, call }
}

let names = 0
const name = () => `fresh ${++names}`

type Act = (
  call: Awaited<ReturnType<typeof stale>>['call'],
  user: { id: number },
) => Promise<{ status: number; body: { code?: string } }>

/** Everything that needs a fresh proof. */
const acts: Record<string, Act> = {
  'making an API key': (call) => call('POST /api-keys', { name: name() }),
  'rotating an API key': async (call, { id }) => {
    const row = { name: 'Own', name_key: 'own', key_hash: name(), created_at: '', updated_at: '' }
    const own = await t.ctx.unguarded
      .insertInto('api_keys')
      .values({ ...row, user_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return call(`POST /api-keys/${own.id}/rotate`)
  },
  'widening an API key': async (call, { id }) => {
    const row = { name: 'Own', name_key: 'own', key_hash: name(), permissions: '[]', created_at: '', updated_at: '' }
    const own = await t.ctx.unguarded
      .insertInto('api_keys')
      .values({ ...row, user_id: id })
      .returning('id')
      .executeTakeFirstOrThrow()
    return call(`PATCH /api-keys/${own.id}`, { permissions: ['users.manage'] })
  },
  'giving a role more permissions': async (call) => {
    const role = await t.createRole(name(), [])
    return call(`PUT /roles/${role}/permissions`, { permissions: ['users.manage'] })
  },
  'making a second factor optional again': async (call) => {
    const role = await t.createRole(name(), [])
    await t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } })
    return call(`PATCH /roles/${role}`, { two_factor: 'optional' })
  },
  'deleting a role that requires a second factor': async (call) => {
    const role = await t.createRole(name(), [])
    await t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } })
    return call(`DELETE /roles/${role}`)
  },
  'deleting a role whose users get more by that': async (call) => {
    const [permission, before] = [name().replace(' ', '.'), (await t.call('GET /roles/2/permissions')).body.data]
    await t.call('POST /permissions', { body: { name: permission } })
    const role = await t.createRole(name(), [])
    await t.createUser({ role_id: role })
    const set = (permissions: string[]) => t.call('PUT /roles/2/permissions', { body: { permissions } })
    await set([permission])
    const answer = await call(`DELETE /roles/${role}`)
    await set(before.map((one: { name: string }) => one.name))
    return answer
  },
  'deleting the role of new accounts': async (call) => {
    const role = await t.createRole(name(), [])
    await t.call('PATCH /settings', { body: { 'registration.default_role_id': role } })
    return call(`DELETE /roles/${role}`)
  },
  'giving somebody a mightier role': async (call) => {
    const { user } = await t.createUser()
    return call(`PATCH /users/${user.id}`, { role_id: await t.createRole(name(), ['users.activity']) })
  },
  'creating somebody with a mightier role': (call) =>
    call('POST /users', {
      email: `${name().replace(' ', '.')}@example.com`,
      password: 'a lamp by the window',
      password_confirmation: 'a lamp by the window',
      role_id: 1,
    }),
  'changing settings': (call) => call('PATCH /settings', { 'session.max_per_user': 49 }),
  'removing somebody’s factor': async (call) => {
    const { user } = await t.createUser()
    return call(`DELETE /users/${user.id}/factors/${await addTotp(t, user.id)}`)
  },
  'turning somebody’s SMS codes off': async (call) => {
    const { user } = await t.createUser()
    await turnOnTwoFactor(t, user.id)
    return call(`DELETE /users/${user.id}/2fa`)
  },
}

describe.each(Object.entries(acts))('%s', (_, act) => {
  // asvs: 7.5.1
  it('is refused to an old session, and goes on after a fresh proof', async () => {
    const { user, call } = await stale()
    const refused = await act(call, user)
    expect([refused.status, refused.body.code]).toEqual([403, needed])
    const proved = await call('POST /me/reauthenticate', proof)
    expect([proved.status, proved.body]).toEqual([200, { success: true }])
    expect((await act(call, user)).status).toBeLessThan(300)
  })

  it('is open to an API key, whose scope is its limit', async () => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const call = (request: string, body?: unknown) => t.call(request, { key, ...(body === undefined ? {} : { body }) })
    t.clock.advance({ minutes: 16 })
    expect((await act(call, user)).status).toBeLessThan(300)
  })
})

describe('an old session', () => {
  it('still does what takes nobody’s protection away', async () => {
    const { call } = await stale()
    const { user } = await t.createUser({ role_id: await t.createRole(name(), ['users.activity']) })
    const role = await t.createRole(name(), ['users.activity'])
    for (const [request, body] of [
      ['GET /users', undefined],
      ['PATCH /me/details', { first_name: 'Ada' }],
      [`PATCH /users/${user.id}`, { role_id: 2 }],
      [`PUT /roles/${role}/permissions`, { permissions: [] }],
      [`DELETE /roles/${await t.createRole(name(), [])}`, undefined],
      [`PATCH /roles/${role}`, { two_factor: 'required' }],
      [`PATCH /roles/${role}`, { description: 'What it is for.' }],
    ] as const) {
      expect([request, (await call(request, body)).status]).toEqual([request, 200])
    }
  })

  it('removes its own factor only after a fresh proof; the password in the request is proof where none is on', async () => {
    const { user, call } = await stale()
    await t.call(`PUT /users/${user.id}/2fa`, { body: { country_code: 276, phone_number: '1701999888' } })
    expect((await call('DELETE /me/2fa', proof)).status).toBe(200) // a pending number
    const secret = newTotpSecret()
    const factor = await addTotp(t, user.id, { secret })
    const refused = await call(`DELETE /me/factors/${factor}`, proof)
    expect([refused.status, refused.body.code]).toEqual([403, needed])
    expect((await call('POST /me/reauthenticate', { ...proof, token: totpCode(t, secret) })).status).toBe(200)
    expect((await call(`DELETE /me/factors/${factor}`, proof)).status).toBe(200)
  })
})

describe('POST /me/reauthenticate', () => {
  it('does not hold longer where the clock was set back since, except by what clocks of nodes may differ', async () => {
    const { key } = await stale()
    const make = () => t.call('POST /api-keys', { key, body: { name: name() } })
    await t.call('POST /me/reauthenticate', { key, body: proof })
    t.clock.advance({ seconds: -60 })
    const soon = await make()
    t.clock.advance({ seconds: -1 })
    const late = await make()
    t.clock.advance({ seconds: 61 })
    expect([soon.status, late.status, late.body.code]).toEqual([201, 403, needed])
  })

  it('holds for 15 minutes, for this session alone, on every node, and is in the log', async () => {
    const { user, key, call } = await stale()
    const other = await signIn(t, user)
    t.clock.advance({ minutes: 16 })
    expect((await call('POST /me/reauthenticate', proof)).status).toBe(200)
    const settings = { 'session.max_per_user': 50 }
    expect((await t.call('PATCH /settings', { key: other, body: settings })).status).toBe(403)
    node.clock.advance({ seconds: (t.clock.now().getTime() - node.clock.now().getTime()) / 1000 })
    expect((await node.call('PATCH /settings', { key, body: settings })).status).toBe(200)
    t.clock.advance({ minutes: 15 })
    expect((await call('PATCH /settings', settings)).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect((await call('PATCH /settings', settings)).status).toBe(403)
    const { data } = (await t.call(`GET /users/${user.id}/activity?filter[event]=user.reauthenticated`)).body
    expect(data.map(({ details }: { details: object }) => details)).toEqual([{ method: 'password', count: 1 }])
  })

  it('counts proofs of one minute in one row', async () => {
    const { user, call } = await stale()
    for (let times = 0; times < 3; times++) await call('POST /me/reauthenticate', proof)
    const { data } = (await t.call(`GET /users/${user.id}/activity?filter[event]=user.reauthenticated`)).body
    expect(data.map(({ details }: { details: object }) => details)).toEqual([{ method: 'password', count: 3 }])
  })

  it('needs the second factor where one is on: app, recovery code, SMS', async () => {
    const { user, call } = await stale()
    const phone = await turnOnTwoFactor(t, user.id)
    const secret = newTotpSecret()
    await addTotp(t, user.id, { secret })
    const { recovery_codes } = (await call('POST /me/recovery-codes', proof)).body
    const without = await call('POST /me/reauthenticate', proof)
    expect([without.status, Object.keys(without.body.errors)]).toEqual([422, ['token']])
    const wrong = await call('POST /me/reauthenticate', { ...proof, token: totpCode(t, secret, 5) })
    expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['token']])
    expect((await call('POST /me/reauthenticate', { token: totpCode(t, secret) })).status).toBe(422)
    expect((await call('POST /me/reauthenticate', { ...proof, token: totpCode(t, secret) })).status).toBe(200)
    expect((await call('POST /me/reauthenticate', { ...proof, token: totpCode(t, secret) })).status).toBe(422)
    expect((await call('POST /me/reauthenticate', { ...proof, token: recovery_codes[0] })).status).toBe(200)
    expect((await call('POST /me/reauthenticate', { ...proof, token: recovery_codes[0] })).status).toBe(422)
    const { challenge } = (await call('POST /me/reauthenticate/sms')).body
    const token = codeIn(await messageTo(t, phone.e164, 'two-factor-login'))
    const bySms = { ...proof, challenge, token }
    expect((await call('POST /me/reauthenticate', bySms)).status).toBe(422) // six digits are the app's, unless it is said
    expect((await call('POST /me/reauthenticate', { ...bySms, method: 'sms' })).status).toBe(200)
  })

  it('takes a passkey alone, which is both; not that of another, not twice', async () => {
    const { user, call } = await stale()
    const none = await call('POST /me/reauthenticate/options')
    expect([none.status, none.body.code]).toEqual([422, 'no_passkey'])
    const { authenticator } = await addPasskey(t, user.id)
    const { challenge, options } = (await call('POST /me/reauthenticate/options')).body
    const stranger = new Authenticator()
    await addPasskey(t, (await createOwner(t)).id, stranger)
    expect((await call('POST /me/reauthenticate', { challenge, credential: stranger.get(options) })).status).toBe(422)
    const lie = authenticator.get(options, { isVerified: false })
    expect((await call('POST /me/reauthenticate', { challenge, credential: lie })).status).toBe(422)
    const credential = authenticator.get(options)
    expect((await call('POST /me/reauthenticate', { challenge, credential })).status).toBe(200)
    expect((await call('POST /me/reauthenticate', { challenge, credential })).status).toBe(422)
    expect((await call('PATCH /settings', { 'session.max_per_user': 50 })).status).toBe(200)
  })

  it('uses up no recovery code where the session ends before the proof is noted', async () => {
    const { t, beforeNextTransaction } = await createRacingApp(inject('postgresUrl'))
    const user = await createOwner(t)
    const key = await signIn(t, user)
    await turnOnTwoFactor(t, user.id)
    const { recovery_codes } = (await t.call('POST /me/recovery-codes', { key, body: proof })).body
    const { challenge } = (await t.call('POST /me/reauthenticate/sms', { key })).body
    const session = await handleOf(t, key)
    beforeNextTransaction(() => t.call(`DELETE /sessions/${session}`))
    const body = { ...proof, challenge, token: recovery_codes[0] }
    expect((await t.call('POST /me/reauthenticate', { key, body })).status).toBe(401)
    expect((await t.call(`GET /users/${user.id}/factors`)).body.meta).toEqual({ recovery_codes_left: 10 })
  })

  it('does not take another user’s challenge', async () => {
    const mine = await stale()
    const theirs = await stale()
    await addPasskey(t, theirs.user.id)
    const { authenticator } = await addPasskey(t, mine.user.id)
    const { challenge, options } = (await theirs.call('POST /me/reauthenticate/options')).body
    const { status } = await mine.call('POST /me/reauthenticate', { challenge, credential: authenticator.get(options) })
    expect(status).toBe(422)
  })

  it('counts a wrong proof as a failed sign-in, and bounds them', async () => {
    const { user, call } = await stale()
    const statuses: number[] = []
    for (let times = 0; times < 7; times++) {
      statuses.push((await call('POST /me/reauthenticate', { current_password: 'not it' })).status)
    }
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429, 429])
    expect((await login(t, user.email)).status).toBe(429)
    expect((await login(t, user.email, {}, { ip: '198.51.100.7' })).status).toBe(200)
    const { data } = (await t.call(`GET /users/${user.id}/sign-ins?filter[success]=0`)).body
    expect(data.map(({ reason, count }: { reason: string; count: number }) => [reason, count])).toContainEqual([
      'password',
      5,
    ])
  })
})

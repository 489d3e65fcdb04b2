import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { addTotp, totpCode } from '../../testing/totp.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/* A role can require a second factor: of its users' next request on, whatever their sessions and keys did before. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  node = await startNode(t)
})
afterAll(() => t.close())

let roles = 0
async function newRole(two_factor: string, permissions = ['users.manage']): Promise<number> {
  const id = await t.createRole(`strict ${++roles}`, permissions)
  await t.call(`PATCH /roles/${id}`, { body: { two_factor } })
  return id
}
const proof = { current_password: password }

describe('a role that requires a second factor', () => {
  // asvs: 6.3.3
  it('shuts out the sessions and keys that its users already have, on every node, until a factor is on', async () => {
    const role = await newRole('optional')
    const user = await createOwner(t, { role_id: role })
    const key = await signIn(t, user)
    const apiKey = (await t.call('POST /api-keys', { key: t.adminKey, body: { name: 'other' } })).status
    expect(apiKey).toBe(201)
    const holder = await t.createUser({ role_id: role })
    for (const app of [t, node]) {
      expect((await app.call('GET /users', { key })).status).toBe(200)
      expect((await app.call('GET /users', { key: holder.key })).status).toBe(200)
    }
    expect((await t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } })).body.data.two_factor).toBe(
      'required',
    )
    for (const app of [t, node]) {
      for (const credential of [key, holder.key]) {
        const { status, body } = await app.call('GET /users', { key: credential })
        expect([status, body.code]).toEqual([403, 'two_factor_enrolment_required'])
      }
    }
    const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    expect((await node.call('GET /users', { key })).status).toBe(200)
  })

  it('leaves nothing open to an API key, which cannot add one: not even what a session may', async () => {
    const { key } = await t.createUser({ role_id: await newRole('required') })
    const requests = [
      'GET /me',
      'GET /me/factors',
      'POST /me/factors/totp',
      'PUT /me/2fa',
      'POST /logout',
      'GET /users',
    ]
    for (const request of requests) {
      const { status, body } = await t.call(request, { key, ...(request.startsWith('GET') ? {} : { body: {} }) })
      expect([request, status, body.code]).toEqual([request, 403, 'two_factor_enrolment_required'])
    }
  })

  it('lets a session without one add one, and nothing else', async () => {
    const user = await createOwner(t, { role_id: await newRole('required') })
    const { body } = await login(t, user.email)
    expect(body).toEqual({ token: expect.stringMatching(/^gs_/), two_factor_enrolment_required: true })
    const key = body.token
    const statusOf = async (request: string) => (await t.call(request, { key, body: {} })).body?.code
    for (const request of [
      'GET /me',
      'GET /me/factors',
      'PUT /me/2fa',
      'POST /me/factors/totp',
      'POST /me/2fa/verify',
    ]) {
      expect([request, await statusOf(request)]).not.toEqual([request, 'two_factor_enrolment_required'])
    }
    const refused = [
      ...['GET /users', 'GET /me/permissions', 'PATCH /me/details', 'PATCH /me/details/auth', 'GET /me/sessions'],
      ...[
        'POST /me/recovery-codes',
        'GET /countries',
        `PATCH /users/${user.id}`,
        'POST /me/reauthenticate',
        'GET /meX',
      ],
    ]
    for (const request of refused.slice(0, -1)) {
      expect([request, await statusOf(request)]).toEqual([request, 'two_factor_enrolment_required'])
    }
    expect((await t.call('POST /logout', { key })).status).toBe(200)
  })

  it('says so with the cookie, too, and never to who has one', async () => {
    const role = await newRole('required')
    const lacking = await createOwner(t, { role_id: role })
    const withCookie = await login(t, lacking.email, { cookie: true })
    expect(withCookie.body).toEqual({ success: true, two_factor_enrolment_required: true })
    const protectedUser = await createOwner(t, { role_id: role })
    await addTotp(t, protectedUser.id)
    expect((await login(t, protectedUser.email)).body).not.toHaveProperty('two_factor_enrolment_required')
  })

  it('shuts out again who removes the last factor', async () => {
    const user = await createOwner(t, { role_id: await newRole('optional') })
    const factor = await addTotp(t, user.id)
    const session = await t.createUser({ role_id: user.role_id })
    await addTotp(t, session.user.id)
    await t.call(`PATCH /roles/${user.role_id}`, { body: { two_factor: 'required' } })
    expect((await t.call('GET /users', { key: session.key })).status).toBe(200)
    const [{ id }] = (await t.call(`GET /users/${session.user.id}/factors`)).body.data
    await t.call(`DELETE /users/${session.user.id}/factors/${id}`)
    expect((await t.call('GET /users', { key: session.key })).body.code).toBe('two_factor_enrolment_required')
    expect(factor).toBeGreaterThan(0)
  })

  it('works even where the setting has switched two-factor authentication off: nobody is locked out', async () => {
    const user = await createOwner(t, { role_id: await newRole('required') })
    const key = await signIn(t, user)
    const other = await signIn(t, await createOwner(t))
    await t.call('PATCH /settings', { body: { 'two_factor.enabled': false } })
    expect((await t.call('POST /me/factors/totp', { key, body: proof })).status).toBe(201)
    expect((await t.call('POST /me/factors/totp', { key: other, body: proof })).status).toBe(404)
    await t.call('PATCH /settings', { body: { 'two_factor.enabled': true } })
  })
})

describe('the rule of a role', () => {
  it('is optional unless it is said, and one of two words', async () => {
    const made = await t.call('POST /roles', { body: { name: 'Plain' } })
    expect(made.body.data.two_factor).toBe('optional')
    const strict = await t.call('POST /roles', { body: { name: 'Strict', two_factor: 'required' } })
    expect(strict.body.data.two_factor).toBe('required')
    const { status, body } = await t.call(`PATCH /roles/${made.body.data.id}`, { body: { two_factor: 'sometimes' } })
    expect([status, Object.keys(body.errors)]).toEqual([422, ['two_factor']])
  })

  it('cannot be required by a member of the role who has no factor themselves', async () => {
    const role = await newRole('optional', ['roles.manage', 'users.manage'])
    const user = await createOwner(t, { role_id: role })
    const key = await signIn(t, user)
    const refused = await t.call(`PATCH /roles/${role}`, { key, body: { two_factor: 'required' } })
    expect([refused.status, refused.body.code]).toEqual([403, 'role_of_yours_needs_factor'])
    await addTotp(t, user.id)
    expect((await t.call(`PATCH /roles/${role}`, { key, body: { two_factor: 'required' } })).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newcomer, newNetwork } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { Authenticator } from '../../testing/authenticator.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { newPhone } from '../../testing/two-factor.ts'

/* An account without a password, where the administrator allows it: its passkey, or a link to its address, is the way in. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const allow = (isAllowed: boolean) => t.call('PATCH /settings', { body: { 'password.required': !isAllowed } })
const register = (body: object) => t.call('POST /register', { key: null, body, ip: newNetwork() })
const passwordless = () => {
  const { password: _, password_confirmation: __, ...names } = newcomer()
  return names
}

describe('an account without a password', () => {
  it('is not made unless the setting allows it', async () => {
    const { status, body } = await register(passwordless())
    expect([status, Object.keys(body.errors).toSorted()]).toEqual([422, ['password', 'password_confirmation']])
    const made = await t.call('POST /users', { body: { email: 'nobody@example.com', role_id: 2 } })
    expect(made.status).toBe(422)
    expect((await t.call('GET /meta', { key: null })).body.data.features.passwordless).toBe(false)
  })

  it('signs up, confirms its address, and signs in with a passkey ever after', async () => {
    await allow(true)
    const names = passwordless()
    expect((await register(names)).body).toEqual({ requires_email_confirmation: true })
    const token = tokenIn(await messageTo(t, names.email, 'confirm-email'))
    const preview = await t.call('POST /email/verify/preview', { key: null, body: { token } })
    expect(preview.body.data).toEqual({ email: names.email, without_password: true })
    const confirmed = await t.call('POST /email/verify', { key: null, body: { token } })
    expect(confirmed.body).toEqual({ success: true, token: expect.stringMatching(/^gs_/) })
    expect((await t.call('POST /email/verify', { key: null, body: { token } })).status).toBe(400)
    const key = confirmed.body.token
    const authenticator = new Authenticator()
    const options = (await t.call('POST /me/factors/passkeys/options', { key, body: {} })).body
    const made = await t.call('POST /me/factors/passkeys', { key, body: { credential: authenticator.create(options) } })
    expect(made.status).toBe(201)
    const { challenge, options: request } = (await t.call('POST /login/passkey/options', { key: null })).body
    const signedIn = await t.call('POST /login/passkey', {
      key: null,
      body: { challenge, credential: authenticator.get(request) },
    })
    expect(signedIn.status).toBe(200)
    const last = await t.call(`DELETE /me/factors/${made.body.data.id}`, { key: signedIn.body.token })
    expect([last.status, last.body.code]).toEqual([422, 'factor_only_way_in'])
  })

  it('has no password that anybody could guess, not even an empty one', async () => {
    await allow(true)
    const { email } = (await t.call('POST /users', { body: { email: 'ada.without@example.com', role_id: 2 } })).body
      .data
    for (const password of ['', 'none', 'null', ' ']) {
      const { status } = await t.call('POST /login', { key: null, body: { username: email, password } })
      expect([password, status]).toEqual([password, 422])
    }
  })

  it('changes how it signs in with a fresh proof of its session alone, and with no API key', async () => {
    await allow(true)
    const names = passwordless()
    await register(names)
    const token = tokenIn(await messageTo(t, names.email, 'confirm-email'))
    const session = (await t.call('POST /email/verify', { key: null, body: { token } })).body.token
    const { id } = (await t.call('GET /me', { key: session })).body.data
    await t.call(`PATCH /users/${id}`, { body: { role_id: 1 } })
    const { key } = (await t.call('POST /api-keys', { key: session, body: { name: 'its own' } })).body.data
    const phone = newPhone().body
    const changes: [string, object][] = [
      ['POST /me/factors/totp', {}],
      ['PATCH /me/details/auth', { username: `${names.username}.1` }],
      [`PATCH /users/${id}`, { username: `${names.username}.2` }],
      ['PUT /me/2fa', phone],
      ['DELETE /me/2fa', {}],
      [`PUT /users/${id}/2fa`, phone],
      [`DELETE /users/${id}/2fa`, {}],
    ]
    const tryAll = async (credential: string) => {
      const codes: Record<string, string> = {}
      for (const [route, body] of changes) {
        const answer = await t.call(route, { key: credential, body })
        codes[route] = answer.status < 300 ? 'done' : answer.body.code
      }
      return codes
    }
    const all = (code: string) => Object.fromEntries(changes.map(([route]) => [route, code]))
    expect(await tryAll(key)).toEqual(all('forbidden'))
    expect(await tryAll(session)).toEqual(all('done'))
    changes[1] = ['PATCH /me/details/auth', { username: `${names.username}.3` }]
    changes[2] = [`PATCH /users/${id}`, { username: `${names.username}.4` }]
    t.clock.advance({ minutes: 16 })
    expect(await tryAll(session)).toEqual(all('reauthentication_required'))
    await allow(false)
  })
})

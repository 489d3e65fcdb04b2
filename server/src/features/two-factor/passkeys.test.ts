import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { Authenticator, type Lies } from '../../testing/authenticator.ts'
import { messageTo } from '../../testing/messages.ts'
import { addTotp } from '../../testing/totp.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/* Passkeys, with an authenticator in software that can lie about each thing that the server has to check. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  node = await startNode(t)
})
afterAll(() => t.close())

const proof = { current_password: password }

const optionsFor = async (key: string) => (await t.call('POST /me/factors/passkeys/options', { key, body: proof })).body

async function withPasskey() {
  const user = await createOwner(t)
  const key = await signIn(t, user)
  const authenticator = new Authenticator()
  const credential = authenticator.create(await optionsFor(key))
  const made = await t.call('POST /me/factors/passkeys', { key, body: { credential, name: 'Laptop' } })
  if (made.status !== 201) throw new Error(made.text)
  return { user, key, authenticator, made, id: made.body.data.id as number }
}

const start = async () => (await t.call('POST /login/passkey/options', { key: null, body: {} })).body
const finish = (challenge: string, credential: unknown, app = t) =>
  app.call('POST /login/passkey', { key: null, body: { challenge, credential } })

/** Signs in with a passkey that may lie. */
async function signInWith(authenticator: Authenticator, lies: Lies = {}) {
  const { challenge, options } = await start()
  return finish(challenge, authenticator.get(options, lies))
}

/** Each of these lies has to be found out. */
const lies: readonly (readonly [string, Lies])[] = [
  ['made for another origin', { origin: 'http://gatehouse.test.evil.example' }],
  ['made for another site', { rpId: 'evil.example' }],
  ['that answers another challenge', { challenge: 'MTEgWnIwNm5Ff2SXgo7cJIOGG65phfi2jrL578JWIGM' }],
  ['whose user was not verified', { isVerified: false }],
  ['that a page in a frame of another site asked for', { crossOrigin: true }],
]

describe('adding a passkey', () => {
  // asvs: 6.5.1, 11.6.1
  it('asks for a discoverable one with user verification, for the host of the public URL', async () => {
    const user = await createOwner(t)
    const options = await optionsFor(await signIn(t, user))
    expect(options).toMatchObject({
      rp: { id: 'gatehouse.test', name: 'Gatehouse' },
      user: { name: user.email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
      // Ed25519, ES256 and RS256, and nothing weaker.
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      challenge: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
    })
    expect(JSON.stringify(options.user.id)).not.toContain(user.email)
  })

  it('answers with the factor and, where it is the first, the recovery codes; the user hears of it', async () => {
    const { user, key, made } = await withPasskey()
    expect(made.body).toEqual({
      data: expect.objectContaining({ type: 'passkey', name: 'Laptop', verified: true }),
      recovery_codes: expect.any(Array),
    })
    expect((await t.call('GET /me', { key })).body.data.two_factor_options).toEqual({
      enabled: true,
      channel: 'passkey',
    })
    expect((await messageTo(t, user.email, 'two-factor-on')).body_text).toContain('Passkey “Laptop”')
  })

  it('needs the current password', async () => {
    const key = await signIn(t, await createOwner(t))
    for (const body of [{}, { current_password: 'not it' }]) {
      expect((await t.call('POST /me/factors/passkeys/options', { key, body })).status).toBe(422)
    }
  })

  it.each(lies)('refuses one %s', async (_, lie) => {
    const key = await signIn(t, await createOwner(t))
    const credential = new Authenticator().create(await optionsFor(key), lie)
    const { status, body } = await t.call('POST /me/factors/passkeys', { key, body: { credential } })
    expect([status, body.code]).toEqual([422, 'passkey_invalid'])
  })

  it.each([
    ['nothing', undefined],
    ['a text', 'x'],
    ['an empty object', {}],
    ['another type', { id: 'AAAA', rawId: 'AAAA', type: 'password', response: {} }],
    [
      'garbage',
      { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: '!', attestationObject: 5 } },
    ],
    [
      'CBOR that is none',
      { id: 'AAAA', type: 'public-key', response: { clientDataJSON: 'e30', attestationObject: '_____w' } },
    ],
  ])('refuses %s', async (_, credential) => {
    const key = await signIn(t, await createOwner(t))
    expect((await t.call('POST /me/factors/passkeys', { key, body: { credential } })).status).toBe(422)
  })

  it('works once for each challenge, and not for the challenge of somebody else', async () => {
    const mine = await signIn(t, await createOwner(t))
    const theirs = await signIn(t, await createOwner(t))
    const options = await optionsFor(mine)
    const add = (key: string) =>
      t.call('POST /me/factors/passkeys', { key, body: { credential: new Authenticator().create(options) } })
    expect((await add(theirs)).status).toBe(422)
    expect((await add(mine)).status).toBe(201)
    expect((await add(mine)).status).toBe(422)
  })

  it('is void after five minutes', async () => {
    const key = await signIn(t, await createOwner(t))
    const credential = new Authenticator().create(await optionsFor(key))
    t.clock.advance({ minutes: 5, seconds: 1 })
    expect((await t.call('POST /me/factors/passkeys', { key, body: { credential } })).status).toBe(422)
  })
})

describe('signing in with a passkey', () => {
  it('needs no name and no second step, and says how in the log', async () => {
    const { user, authenticator } = await withPasskey()
    const { status, body } = await signInWith(authenticator)
    expect([status, body]).toEqual([200, { token: expect.stringMatching(/^gs_/) }])
    expect((await t.call('GET /me', { key: body.token })).body.data.id).toBe(user.id)
    const { data } = (await t.call('GET /me/sign-ins', { key: body.token })).body
    expect(data[0]).toMatchObject({ success: true, method: 'passkey' })
  })

  it('begins the same for everybody', async () => {
    const { options, challenge } = await start()
    expect(options).toMatchObject({ rpId: 'gatehouse.test', userVerification: 'required' })
    expect(options.allowCredentials ?? []).toEqual([])
    expect(challenge).toMatch(/^v1\./)
  })

  it.each([
    ...lies,
    ['with another signature', { signature: Buffer.from('30060201010201ff', 'hex') }],
    ['for another account', { userHandle: 'AAAA' }],
    ['that names no account', { userHandle: null }],
    ['of another kind', { type: 'webauthn.create' }],
  ] as const)('refuses one %s, and counts it as a failed sign-in', async (_, lie: Lies) => {
    const { user, authenticator } = await withPasskey()
    const { status, body } = await signInWith(authenticator, lie)
    expect([status, body.code]).toEqual([422, 'passkey_invalid'])
    const { data } = (await t.call(`GET /users/${user.id}/sign-ins?filter[success]=false`)).body
    expect(data[0]).toMatchObject({ success: false, reason: 'two_factor' })
    expect((await signInWith(authenticator)).status).toBe(200)
  })

  it('refuses a clone, whose counter stayed behind', async () => {
    const { authenticator } = await withPasskey()
    const clone = authenticator.clone()
    for (let times = 0; times < 3; times++) expect((await signInWith(authenticator)).status).toBe(200)
    expect((await signInWith(clone)).status).toBe(422)
    expect((await signInWith(authenticator)).status).toBe(200)
  })

  it('takes an answer once, also in 50 parallel tries on two nodes', async () => {
    const { authenticator } = await withPasskey()
    const { challenge, options } = await start()
    const credential = authenticator.get(options)
    const tries = Array.from({ length: 50 }, (_, index) => finish(challenge, credential, index % 2 ? t : node))
    expect((await Promise.all(tries)).filter(({ status }) => status === 200)).toHaveLength(1)
    t.clock.advance({ minutes: 11 }) // the others count as failures of the network
  })

  it('refuses a removed one, one of nobody, and a challenge that is old or made up', async () => {
    const { key, id, authenticator } = await withPasskey()
    const { challenge, options } = await start()
    t.clock.advance({ minutes: 5, seconds: 1 })
    expect((await finish(challenge, authenticator.get(options))).status).toBe(422)
    expect((await finish('v1.AAAA', authenticator.get(options))).status).toBe(422)
    expect((await finish('{"token":"x","expiresMs":9e15}', authenticator.get(options))).status).toBe(422)
    expect((await signInWith(new Authenticator())).status).toBe(422)
    expect((await t.call(`DELETE /me/factors/${id}`, { key, body: proof })).status).toBe(200)
    expect((await signInWith(authenticator)).status).toBe(422)
  })

  it('tells a banned user so, who has proved who they are', async () => {
    const { user, authenticator } = await withPasskey()
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    const { status, body } = await signInWith(authenticator)
    expect([status, body.code]).toEqual([403, 'account_banned'])
  })
})

describe('a passkey as the second factor', () => {
  const answer = (challenge: string, body: object) =>
    t.call('POST /login/2fa', { key: null, body: { challenge, ...body } })

  it('where it is the only one, comes with the options; a recovery code stands in', async () => {
    const { user, authenticator, made } = await withPasskey()
    const first = (await login(t, user.email)).body
    expect(first).toEqual({
      two_factor_required: true,
      challenge: expect.any(String),
      methods: ['passkey', 'recovery_code'],
      options: expect.objectContaining({
        allowCredentials: [expect.objectContaining({ id: authenticator.id.toString('base64url') })],
      }),
    })
    expect((await answer(first.challenge, { credential: authenticator.get(first.options) })).status).toBe(200)
    const second = (await login(t, user.email)).body
    expect((await answer(second.challenge, { token: made.body.recovery_codes[0] })).status).toBe(200)
  })

  it.each(lies)('is refused if it is one %s', async (_, lie) => {
    const { user, authenticator } = await withPasskey()
    const { challenge, options } = (await login(t, user.email)).body
    expect((await answer(challenge, { credential: authenticator.get(options, lie) })).status).toBe(422)
  })

  it('of somebody else does not do', async () => {
    const { user } = await withPasskey()
    const other = await withPasskey()
    const { challenge, options } = (await login(t, user.email)).body
    expect((await answer(challenge, { credential: other.authenticator.get(options) })).status).toBe(422)
  })

  it('stands behind an app', async () => {
    const { user } = await withPasskey()
    await addTotp(t, user.id)
    const { body } = await login(t, user.email)
    expect(body.methods).toEqual(['totp', 'passkey', 'recovery_code'])
    expect((await t.call(`GET /users/${user.id}`)).body.data.two_factor_options.channel).toBe('totp')
  })
})

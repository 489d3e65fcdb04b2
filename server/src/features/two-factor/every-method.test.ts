import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { Authenticator, addPasskey } from '../../testing/authenticator.ts'
import { codeIn, messageTo, tokenIn } from '../../testing/messages.ts'
import { addTotp, newTotpSecret, totpCode } from '../../testing/totp.ts'
import { requestCode, turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/* What holds for a second factor holds for each kind of it. */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  node = await startNode(t)
})
afterAll(() => t.close())
/** Failures of a network are counted for ten minutes. */
beforeEach(() => {
  t.clock.advance({ minutes: 11 })
  node.clock.advance({ seconds: (t.clock.now().getTime() - node.clock.now().getTime()) / 1000 })
})

const proof = { current_password: password }

/** What `POST /login` answers. */
interface Challenge {
  readonly challenge: string
  readonly methods: readonly string[]
  readonly options: { readonly challenge: string }
}

/** Somebody who has a factor. */
interface Owner {
  readonly user: { readonly id: number; readonly email: string }
  readonly key: string
  /** The body that answers a challenge rightly, beside the challenge itself. */
  readonly right: (given: Challenge) => Promise<object>
  readonly wrong: (given: Challenge) => object[]
}

const stranger = new Authenticator()

const withApp = async (): Promise<Owner> => {
  const user = await createOwner(t)
  const key = await signIn(t, user)
  const secret = newTotpSecret()
  await addTotp(t, user.id, { secret })
  const right = async () => ({ token: totpCode(t, secret) })
  return { user, key, right, wrong: () => wrongCodes(totpCode(t, secret, 20), 50).map((token) => ({ token })) }
}

interface Kind {
  readonly create: () => Promise<Owner>
  /** Somebody who has asked for one that is not verified yet; recovery codes come with a factor. */
  readonly start?: () => Promise<Owner>
}

const methods: Record<string, Kind> = {
  totp: {
    create: withApp,
    start: async () => {
      const user = await createOwner(t)
      const key = await signIn(t, user)
      const { secret } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
      return { user, key, right: async () => ({ token: totpCode(t, secret) }), wrong: () => [] }
    },
  },
  sms: {
    create: async () => {
      const user = await createOwner(t)
      const key = await signIn(t, user)
      const { e164 } = await turnOnTwoFactor(t, user.id)
      const code = async () => codeIn(await messageTo(t, e164, 'two-factor-login'))
      const wrong = () => wrongCodes('000000', 50).map((token) => ({ token, method: 'sms' }))
      return { user, key, right: async () => ({ token: await code() }), wrong }
    },
    start: async () => {
      const user = await createOwner(t)
      const key = await signIn(t, user)
      const token = await requestCode(t, user.id)
      return { user, key, right: async () => ({ token }), wrong: () => [] }
    },
  },
  passkey: {
    create: async () => {
      const user = await createOwner(t)
      const key = await signIn(t, user)
      const { authenticator } = await addPasskey(t, user.id)
      const right = async ({ options }: Challenge) => ({ credential: authenticator.get(options) })
      const wrong = ({ options }: Challenge) =>
        Array.from({ length: 50 }, () => ({ credential: authenticator.get(options, { isVerified: false }) }))
      return { user, key, right, wrong }
    },
    start: async () => {
      const user = await createOwner(t)
      const key = await signIn(t, user)
      const options = (await t.call('POST /me/factors/passkeys/options', { key, body: proof })).body
      stranger.create(options)
      return { user, key, right: async () => ({ credential: stranger.get(options) }), wrong: () => [] }
    },
  },
  recovery_code: {
    create: async () => {
      const owner = await withApp()
      const { recovery_codes } = (await t.call('POST /me/recovery-codes', { key: owner.key, body: proof })).body
      const wrong = () => Array.from({ length: 50 }, (_, n) => ({ token: `aaaaa-aaa${String(n).padStart(2, '0')}` }))
      return { ...owner, right: async () => ({ token: recovery_codes[0] }), wrong }
    },
  },
}

const challengeOf = async ({ user }: Owner, secret = password): Promise<Challenge> => {
  const { status, body } = await login(t, user.email, { password: secret })
  expect([status, body.two_factor_required]).toEqual([200, true])
  return body
}
const answer = ({ challenge }: Challenge, body: object, app = t) =>
  app.call('POST /login/2fa', { key: null, body: { challenge, ...body } })

/** The answers to this many bodies at once, on two nodes. */
const answerAll = (given: Challenge, bodies: readonly object[]) =>
  Promise.all(bodies.map((body, index) => answer(given, body, index % 2 ? t : node)))

describe.each(Object.entries(methods))('%s', (name, { create }) => {
  // asvs: 6.5.1
  it('of 50 parallel right answers one signs in', async () => {
    const owner = await create()
    const given = await challengeOf(owner)
    const right = await owner.right(given)
    const answers = await answerAll(given, Array(50).fill(right))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await answer(given, right)).status).toBe(422)
  })

  it('is taken by the name that the challenge gives it', async () => {
    const owner = await create()
    const given = await challengeOf(owner)
    expect(given.methods).toContain(name)
    expect((await answer(given, { ...(await owner.right(given)), method: name })).status).toBe(200)
  })

  // asvs: 6.6.3
  it('of 50 parallel wrong answers five are looked at, and the right one is too late', async () => {
    const owner = await create()
    const given = await challengeOf(owner)
    const answers = await answerAll(given, owner.wrong(given))
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(422))
    expect((await answer(given, await owner.right(given))).status).toBe(422)
    const { data } = (await t.call(`GET /users/${owner.user.id}/sign-ins?filter[success]=false`)).body
    const failed = data.filter(({ reason }: { reason: string }) => reason === 'two_factor')
    expect(failed.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(5)
  })

  // asvs: 6.5.5
  it('is too late after five minutes', async () => {
    const owner = await create()
    const given = await challengeOf(owner)
    const right = await owner.right(given)
    t.clock.advance({ minutes: 5, seconds: 1 })
    expect((await answer(given, name === 'totp' ? await owner.right(given) : right)).status).toBe(422)
  })

  // asvs: 6.6.2
  it('of somebody else does not do', async () => {
    const [mine, theirs] = [await create(), await create()]
    const [given, other] = [await challengeOf(mine), await challengeOf(theirs)]
    expect((await answer(given, await theirs.right(other))).status).toBe(422)
    expect((await answer(given, await theirs.right(given))).status).toBe(422)
  })

  it.each([[null], [''], [0], [true], [[]], [{}]])(
    '%j as an answer is 422, and the right one counts after it',
    async (value) => {
      const owner = await create()
      const given = await challengeOf(owner)
      const field = name === 'passkey' ? 'credential' : 'token'
      expect((await answer(given, { [field]: value })).status).toBe(422)
      expect((await answer(given, await owner.right(given))).status).toBe(200)
    },
  )

  it('half signed in, nothing is reached', async () => {
    const { challenge } = await challengeOf(await create())
    for (const request of ['GET /me', 'GET /users', 'GET /me/factors', 'POST /me/reauthenticate', 'POST /logout']) {
      expect([request, (await t.call(request, { key: challenge })).status]).toEqual([request, 401])
    }
  })

  it('a wrong password tells nothing of it', async () => {
    const owner = await create()
    const without = await createOwner(t)
    const [one, other] = [
      await login(t, owner.user.email, { password: 'not it at all' }),
      await login(t, without.email, { password: 'not it at all' }),
    ]
    expect([one.status, one.body]).toEqual([other.status, other.body])
    expect([one.status, one.body.code]).toEqual([422, 'invalid_credentials'])
  })

  // asvs: 6.4.3
  it('a reset neither skips nor clears it, and voids the challenge before', async () => {
    const owner = await create()
    const given = await challengeOf(owner)
    const early = await owner.right(given)
    const { email } = owner.user
    await t.call('POST /password/remind', { key: null, body: { email } })
    const token = tokenIn(await messageTo(t, email, 'reset-password'))
    const next = 'another password of mine'
    const body = { token, email, password: next, password_confirmation: next }
    expect((await t.call('POST /password/reset', { key: null, body })).body).toEqual({ success: true })
    expect((await answer(given, early)).status).toBe(422)
    t.clock.advance({ minutes: 2 })
    const again = await challengeOf(owner, next)
    expect((await answer(again, await owner.right(again))).status).toBe(200)
  })
})

describe.each(Object.entries(methods))('%s, before it is verified', (_, { create, start }) => {
  it.runIf(start)('is not asked for', async () => {
    const owner = await start?.()
    expect((await login(t, owner?.user.email ?? '')).body).toEqual({ token: expect.stringMatching(/^gs_/) })
  })

  // asvs: 6.6.2
  it.runIf(start)('signs nobody in', async () => {
    const enrolling = await start?.()
    const given = await challengeOf(await create())
    expect((await answer(given, (await enrolling?.right(given)) ?? {})).status).toBe(422)
  })
})

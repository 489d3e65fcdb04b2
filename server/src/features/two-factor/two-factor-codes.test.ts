import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { newPhone, requestCode, turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'
import { challengeSignIn } from './challenge.service.ts'

/*
 * Codes come from a CSPRNG, are stored as a hash, are valid for 5 minutes, work once, and expire after 5 wrong attempts,
 * also parallel ones. Each is bound to its user, phone and enrolment. Enrolment and sign-in are tested alike.
 */

const password = 'a password of my own'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

/** A user who waits for a code, and a function to enter one. */
interface Waiting {
  readonly userId: number
  readonly code: string
  readonly type: (code: unknown) => Promise<{ status: number }>
  /** Requests another code. */
  readonly again: () => Promise<Waiting>
}

async function enrolment(userId?: number): Promise<Waiting> {
  const id = userId ?? (await t.createUser()).user.id
  const code = await requestCode(t, id)
  const type = (token: unknown) => t.call(`POST /users/${id}/2fa/verify`, { body: { token } })
  return { userId: id, code, type, again: () => enrolment(id) }
}

let signIns = 0

async function signIn(known?: { id: number; email: string; e164: string }): Promise<Waiting> {
  const user = known ?? (await createProtected())
  // From another address each time: rate limits are not the subject of this test.
  const ip = `10.0.0.${++signIns % 250}`
  const { body } = await t.call('POST /login', { key: null, ip, body: { username: user.email, password } })
  const code = codeIn(await messageTo(t, user.e164, 'two-factor-login'))
  const { challenge } = body
  const type = (token: unknown) => t.call('POST /login/2fa', { key: null, body: { challenge, token } })
  return { userId: user.id, code, type, again: () => signIn(user) }
}

async function createProtected() {
  const { user } = await t.createUser()
  await t.call(`PATCH /users/${user.id}`, { body: { password, password_confirmation: password } })
  const { e164 } = await turnOnTwoFactor(t, user.id)
  return { id: user.id, email: user.email, e164 }
}

const tokensOf = (userId: number) =>
  t.ctx.unguarded
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('code_hash', 'is not', null)
    .execute()

describe.each([
  ['enrolment', enrolment],
  ['sign-in', signIn],
])('%s: the code', (_name, begin) => {
  // asvs: 6.5.1
  it('works once: of 50 parallel uses, one succeeds', async () => {
    const { code, type } = await begin()
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => type(code)))).map((answer) => answer.status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 422)).toHaveLength(49)
    expect((await type(code)).status).toBe(422)
  })

  // asvs: 6.6.3
  it('expires after five wrong attempts, also parallel ones: of 50, five are checked, and the right one is too late', async () => {
    const { userId, code, type } = await begin()
    const answers = await Promise.all(wrongCodes(code, 50).map(type))
    expect(answers.map((answer) => answer.status)).toEqual(Array(50).fill(422))
    expect((await tokensOf(userId)).map((token) => token.tries)).toEqual([5])
    expect((await type(code)).status).toBe(422)
  })

  it('works after four wrong attempts', async () => {
    const { code, type } = await begin()
    for (const wrong of wrongCodes(code, 4)) expect((await type(wrong)).status).toBe(422)
    expect((await type(code)).status).toBe(200)
  })

  // asvs: 6.5.5
  it('lives five minutes', async () => {
    const timely = await begin()
    const late = await begin()
    t.clock.advance({ minutes: 4, seconds: 59 })
    expect((await timely.type(timely.code)).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect((await late.type(late.code)).status).toBe(422)
  })

  it('is void once there is a newer one, which has its own attempts', async () => {
    const first = await begin()
    for (const wrong of wrongCodes(first.code, 5)) await first.type(wrong)
    const second = await first.again()
    expect(await tokensOf(first.userId)).toHaveLength(1)
    if (first.code !== second.code) expect((await second.type(first.code)).status).toBe(422)
    expect((await first.type(first.code)).status === 200).toBe(first.code === second.code)
    expect((await second.type(second.code)).status).toBe(200)
  })

  it('stays the only one when 20 are requested in parallel', async () => {
    const { userId, again } = await begin()
    await Promise.all(Array.from({ length: 20 }, again))
    expect(await tokensOf(userId)).toHaveLength(1)
  })

  it('is bound to its user', async () => {
    const [mine, theirs] = [await begin(), await begin()]
    if (mine.code !== theirs.code) expect((await theirs.type(mine.code)).status).toBe(422)
    expect((await mine.type(mine.code)).status).toBe(200)
  })

  it('is stored only as a hash, and the audit log has neither code nor phone', async () => {
    const { userId, code } = await begin()
    const { two_factor_phone } = (await t.call(`GET /users/${userId}`)).body.data
    expect(JSON.stringify(await tokensOf(userId))).not.toContain(code)
    const log = JSON.stringify(await t.ctx.unguarded.selectFrom('activity').selectAll().execute())
    expect(log).not.toContain(code)
    expect(log).not.toContain(two_factor_phone)
  })

  it.each([[null], [''], [1000000], [-1], [1.5], [true], [[]], [['123456']], [{}]])(
    '%j as token is 422 on it',
    async (token) => {
      const { userId, code, type } = await begin()
      const answer = await type(token)
      expect(answer).toMatchObject({ status: 422, body: { errors: { token: expect.anything() } } })
      expect((await tokensOf(userId)).map((row) => row.tries)).toEqual([0])
      expect((await type(code)).status).toBe(200)
    },
  )
})

describe('a code', () => {
  // asvs: 6.5.3, 6.5.4
  it('has six digits and uses the whole range', async () => {
    const { again } = await enrolment()
    const codes = new Set<string>()
    for (let n = 0; n < 50; n++) codes.add((await again()).code)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    expect(codes.size).toBeGreaterThanOrEqual(49)
  })

  it('is bound to the phone that it was sent to', async () => {
    const { user } = await t.createUser()
    const [old, next] = [newPhone(), newPhone()]
    const oldCode = await requestCode(t, user.id, old)
    const nextCode = await requestCode(t, user.id, next)
    const verify = (token: string) => t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })
    if (oldCode !== nextCode) expect((await verify(oldCode)).status).toBe(422)
    expect((await verify(nextCode)).body.data.two_factor_phone).toBe(next.body.phone_number)
  })

  it('never turns on a number that was replaced in the meantime', async () => {
    const { user } = await t.createUser()
    const code = await requestCode(t, user.id)
    // The state that a change on another path would leave: the code still exists, the number is another.
    await t.ctx.unguarded
      .updateTable('users')
      .set({ two_factor_phone: '1709999999' })
      .where('id', '=', user.id)
      .execute()
    const { status } = await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token: code } })
    expect(status).toBe(422)
    expect((await t.call(`GET /users/${user.id}`)).body.data.two_factor_options.enabled).toBe(false)
  })

  // asvs: 6.6.2
  it('of an enrolment does not sign in, and one of a sign-in does not enrol a phone', async () => {
    const entering = await signIn()
    const enrolling = await enrolment()
    if (entering.code !== enrolling.code) {
      expect((await entering.type(enrolling.code)).status).toBe(422)
      expect((await enrolling.type(entering.code)).status).toBe(422)
    }
    expect((await t.call(`POST /users/${entering.userId}/2fa/verify`, { body: { token: entering.code } })).status).toBe(
      422,
    )
  })

  it('of a sign-in stays the only one, also with parallel sign-ins', async () => {
    const { id } = await createProtected()
    const user = await t.ctx.unguarded.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const origin = { ip: '10.0.0.1', userAgent: null, requestId: null }
    // Below the routes, where passwords are checked two at a time and little happens in parallel.
    const send = () => challengeSignIn(t.ctx, user, origin, { cookie: false, device_name: null })
    await Promise.all(Array.from({ length: 50 }, send))
    expect(await tokensOf(id)).toHaveLength(1)
  })

  it('of a sign-in is void once two-factor authentication is turned off', async () => {
    const { userId, code, type } = await signIn()
    await t.call(`DELETE /users/${userId}/2fa`)
    expect((await type(code)).status).toBe(422)
  })
})

import { describe, expect, inject, it, vi } from 'vitest'
import { createAccount, oldPassword } from '../../../testing/accounts.ts'
import { type Answer, createTestApp, type TestApp } from '../../../testing/app.ts'
import { messagesTo } from '../../../testing/messages.ts'
import { newPhone, turnOnTwoFactor } from '../../../testing/two-factor.ts'

/* SMS are limited per number, user, address and day, against toll fraud. */

vi.setConfig({ testTimeout: 120_000 })

const requests = 1_000

const address = (n: number): string => `10.1.${Math.floor(n / 250)}.${(n % 250) + 1}`

async function countSms(t: TestApp): Promise<number> {
  const { count } = await t.ctx.unguarded
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('kind', '=', 'sms')
    .executeTakeFirstOrThrow()
  return Number(count)
}

async function send(count: number, one: (n: number) => Promise<Answer>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  for (let n = 0; n < count; n += 50) {
    const answers = await Promise.all(Array.from({ length: Math.min(50, count - n) }, (_, m) => one(n + m)))
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  return statuses
}

async function createUsers(t: TestApp, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) ids.push((await t.createUser()).user.id)
  return ids
}

const ask = (t: TestApp, id: number | undefined, body: object, ip: string) =>
  t.call(`PUT /users/${id}/2fa`, { body, ip })

// asvs: 2.3.2, 2.4.1
it('1,000 requests for one number, by 100 users from 1,000 addresses, send 10', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const users = await createUsers(t, 100)
  const { body } = newPhone()
  const statuses = await send(requests, (n) => ask(t, users[n % 100], body, address(n)))
  expect(statuses).toEqual(
    new Map([
      [200, 10],
      [429, 990],
    ]),
  )
  expect(await countSms(t)).toBe(10)
})

it('what was refused counts for nobody else: another number, and the address, have what was not sent', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: '2/hour' })
  const [one, two] = await createUsers(t, 2)
  const statuses = async (id: number | undefined, times: number, body: object) => {
    const found: number[] = []
    for (let n = 0; n < times; n++) found.push((await ask(t, id, body, address(0))).status)
    return found
  }
  const first = newPhone().body
  expect(await statuses(one, 30, first)).toEqual([200, 200, ...Array(28).fill(429)])
  expect(await statuses(one, 3, newPhone().body)).toEqual([200, 200, 429])
  expect(await statuses(two, 3, newPhone().body)).toEqual([200, 200, 429])
})

it('different notations of a number are one number', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const users = await createUsers(t, 30)
  const spellings = [
    { country_code: 276, phone_number: '1701234567' },
    { country_code: 276, phone_number: '01701234567' },
    { country_code: 49, phone_number: 1701234567 },
  ]
  await send(30, (n) => ask(t, users[n], spellings[n % 3] as object, address(n)))
  expect(await countSms(t)).toBe(10)
})

it('1,000 requests by one user, for 1,000 numbers from 1,000 addresses, send 20', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const [user] = await createUsers(t, 1)
  await send(requests, (n) => ask(t, user, newPhone().body, address(n)))
  expect(await countSms(t)).toBe(20)
})

it('1,000 requests from one address, for 1,000 numbers by 100 users, send 100; a /64 is one address', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const users = await createUsers(t, 100)
  await send(requests, (n) => ask(t, users[n % 100], newPhone().body, `2001:db8::${n.toString(16)}`))
  expect(await countSms(t)).toBe(100)
})

it('in a day a number gets five times what an hour allows', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const users = await createUsers(t, 100)
  const { body } = newPhone()
  for (let hour = 0; hour < 7; hour++) {
    await send(15, (n) => ask(t, users[hour * 14 + n], body, address(n)))
    t.clock.advance({ hours: 1 })
  }
  expect(await countSms(t)).toBe(50)
  t.clock.advance({ hours: 17 })
  expect((await ask(t, users[99], body, address(0))).status).toBe(200)
})

it('beyond it the answer is 429 with Retry-After and nothing is stored; in the next window codes are sent again', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: '1/minute' })
  const [first, second] = await createUsers(t, 2)
  const { body } = newPhone()
  expect((await ask(t, first, body, address(1))).status).toBe(200)
  t.clock.advance({ seconds: 18 })
  const refused = await ask(t, second, body, address(2))
  expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.', code: 'too_many_attempts' }])
  expect(refused.headers['retry-after']).toBe('42')
  expect((await t.call(`GET /users/${second}`)).body.data.two_factor_options).toBeNull()
  t.clock.advance({ seconds: 42 })
  expect((await ask(t, second, body, address(2))).status).toBe(200)
})

it('also counts the SMS of sign-in, separately from enrolment', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: '3/hour' })
  const password = 'a password of my own'
  const { user } = await t.createUser()
  await t.call(`PATCH /users/${user.id}`, { body: { password, password_confirmation: password } })
  await turnOnTwoFactor(t, user.id)
  const login = (n: number) =>
    t.call('POST /login', { key: null, ip: address(n), body: { username: user.email, password } })
  const statuses = await send(40, login)
  expect(statuses).toEqual(
    new Map([
      [200, 3],
      [429, 37],
    ]),
  )
  expect(await countSms(t)).toBe(4)
})

/** A user with two-factor authentication on, and a function to sign in. */
async function createOwner(t: TestApp) {
  const password = 'a password of my own'
  const { user } = await t.createUser()
  await t.call(`PATCH /users/${user.id}`, { body: { password, password_confirmation: password } })
  const phone = await turnOnTwoFactor(t, user.id)
  const signIn = (ip = '203.0.113.9') =>
    t.call('POST /login', { key: null, ip, body: { username: user.email, password } })
  return { user, phone, signIn }
}

it.each(['PUT /users/{id}/2fa by an administrator', 'PUT /me/2fa by strangers'])(
  'for signing in is not affected by enrolments of the number elsewhere: %s',
  async (path) => {
    const t = await createTestApp(inject('postgresUrl'))
    const { phone, signIn } = await createOwner(t)
    const statuses = new Set<number>()
    for (let n = 0; n < 15; n++) {
      const { user, key } = await createAccount(t)
      const answer = path.startsWith('PUT /me')
        ? await t.call('PUT /me/2fa', { key, ip: address(n), body: { ...phone.body, current_password: oldPassword } })
        : await ask(t, user.id, phone.body, address(n))
      statuses.add(answer.status)
    }
    expect(statuses).toEqual(new Set([200, 429]))
    for (let n = 0; n < 10; n++) expect((await signIn()).body).toMatchObject({ two_factor_required: true })
    expect((await signIn()).status).toBe(429)
  },
)

describe('the cap of the service', () => {
  it('stops enrolment and sign-in with 429, whatever the budget, and is reset after a day', async () => {
    for (const GATEHOUSE_SMS_BUDGET of ['10/hour', 'off']) {
      const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_DAILY_CAP: '6', GATEHOUSE_SMS_BUDGET })
      const { signIn } = await createOwner(t)
      const users = await createUsers(t, 9)
      const statuses = await send(9, (n) => ask(t, users[n], newPhone().body, address(n)))
      expect(statuses).toEqual(
        new Map([
          [200, 5],
          [429, 4],
        ]),
      )
      const refused = await signIn()
      expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000)
      expect(await countSms(t)).toBe(6)
      t.clock.advance({ hours: 24 })
      expect((await signIn()).status).toBe(200)
    }
  })

  it('does not count what another budget has already refused', async () => {
    const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_DAILY_CAP: '15' })
    const users = await createUsers(t, 30)
    const { body } = newPhone()
    await send(30, (n) => ask(t, users[n], body, address(n)))
    expect(await countSms(t)).toBe(10)
    for (let n = 0; n < 5; n++) expect((await ask(t, users[n], newPhone().body, address(n))).status).toBe(200)
  })

  it('is reported to every administrator by one mail a day, when 80 % are sent', async () => {
    const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_DAILY_CAP: '10' })
    const other = await t.createUser({ role_id: 1, email: 'second@example.com' })
    await t.createUser({ role_id: 1, email: 'banned@example.com', status: 'Banned' })
    const users = await createUsers(t, 12)
    const mailsOf = async (email: string) =>
      (await messagesTo(t, email)).filter(({ template }) => template === 'sms-cap-near')
    for (let n = 0; n < 7; n++) await ask(t, users[n], newPhone().body, address(n))
    expect(await mailsOf('admin@example.com')).toEqual([])
    await send(5, (n) => ask(t, users[7 + n], newPhone().body, address(n)))
    for (const email of ['admin@example.com', other.user.email]) {
      const mails = await mailsOf(email)
      expect(mails.map(({ body_text }) => body_text?.slice(0, 21))).toEqual(['8 text messages have '])
    }
    for (const email of ['banned@example.com', 'user1@example.com']) expect(await mailsOf(email)).toEqual([])
    const { body } = await t.call('GET /activity?filter[event]=sms.cap_near')
    expect(body.data).toMatchObject([{ details: { count: 8, cap: 10 } }])
    t.clock.advance({ hours: 24 })
    for (let n = 0; n < 9; n++) await ask(t, users[n], newPhone().body, address(n))
    expect(await mailsOf('admin@example.com')).toHaveLength(2)
  })
})

it('`off` bounds nothing', async () => {
  const t = await createTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
  const [user] = await createUsers(t, 1)
  const { body } = newPhone()
  await send(150, () => ask(t, user, body, address(0)))
  expect(await countSms(t)).toBe(150)
})

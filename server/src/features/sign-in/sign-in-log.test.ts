import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { writeRefusals } from '../../security/sign-in-guard/refusals.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messagesTo, messageTo } from '../../testing/messages.ts'
import { newPhone, requestCode, turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'
import { until } from '../../testing/until.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/** Every failure is logged, at most one row a minute for each account, network and reason. A rise in failures is reported. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())
beforeEach(async () => {
  await writeRefusals(t.ctx) // the failures of the previous test belong to its own day
  t.clock.advance({ hours: 25 })
})

const wrong = { password: 'not the password' }
const here = { ip: '2001:db8:1:1::7' }
const neighbour = { ip: '2001:db8:1:1::8' }
const elsewhere = { ip: '203.0.113.8' }

const owner = (fields: object = {}): Promise<UserRow> =>
  createOwner(t, { username: `owner ${crypto.randomUUID()}`, ...fields })

/** Events of failed sign-ins, oldest first: event, address, details. */
async function logOf(user: UserRow): Promise<[string, string, object][]> {
  const { body } = await t.call(`GET /users/${user.id}/activity?sort=id&per_page=100`)
  return body.data
    .filter(({ event }: { event: string }) => /^user\.sign_in(_failed|s_limited)$/.test(event))
    .map(({ event, ip_address, details }: Record<string, unknown>) => [event, ip_address, details])
}

const failed = (ip: string, reason: string, count: number, more: object = {}) => [
  'user.sign_in_failed',
  ip,
  { reason, ...more, count },
]

describe('a failed sign-in', () => {
  // asvs: 16.3.1
  it('is in the activity of its account: one row a minute for each network, with a count', async () => {
    const user = await owner()
    for (const name of [user.email, user.username as string]) await login(t, name, wrong, here)
    await login(t, user.email, wrong, neighbour)
    await login(t, user.email, wrong, elsewhere)
    t.clock.advance({ minutes: 1 })
    await Promise.all([login(t, user.email, wrong, here), login(t, user.email, wrong, here)])
    expect(await logOf(user)).toEqual([
      failed(here.ip, 'password', 3),
      failed(elsewhere.ip, 'password', 1),
      failed(here.ip, 'password', 2),
    ])
  })

  it.each([
    ['Banned', 'banned'],
    ['Unconfirmed', 'unconfirmed'],
  ] as const)('of an account that is %s says so, whether or not the password was right', async (status, reason) => {
    const user = await owner({ status })
    await login(t, user.email, wrong, here)
    await login(t, user.email, {}, here)
    expect(await logOf(user)).toEqual([failed(here.ip, 'password', 1), failed(here.ip, reason, 1)])
  })

  // asvs: 16.3.3
  it('that uses up a budget says so, and refused ones are counted', async () => {
    const user = await owner()
    for (let time = 0; time < 5; time++) await login(t, user.email, wrong, here)
    const before = await logOf(user)
    const limited = ['user.sign_ins_limited', here.ip, { budget: 'network', count: 1 }]
    expect(before).toEqual([failed(here.ip, 'password', 5), limited])
    for (let time = 0; time < 10; time++) expect((await login(t, user.email, {}, here)).status).toBe(429)
    const refused = async () => (await logOf(user)).slice(2)
    await until(async () => JSON.stringify(await refused()).includes('"count":10'))
    expect(await refused()).toEqual([failed(here.ip, 'limited', 10)])
  })

  it('that was answered as wrong without a look at the password was refused, too', async () => {
    const user = await owner()
    for (let time = 0; time < 5; time++) await login(t, user.username as string, wrong, here)
    expect((await login(t, user.email, {}, here)).status).toBe(422) // right, under another name
    const limited = ['user.sign_ins_limited', here.ip, { budget: 'network', count: 1 }]
    expect(await logOf(user)).toEqual([failed(here.ip, 'password', 5), limited, failed(here.ip, 'limited', 1)])
  })

  it('from more networks than thirty in a minute does not fill the log', async () => {
    const user = await owner()
    for (let network = 0; network < 20; network++) {
      await login(t, user.email, wrong, { ip: `2001:db8:2:${network}::1` })
    }
    // At once, so that many are written in one transaction.
    const others = Array.from({ length: 40 }, (_, n) => login(t, user.email, wrong, { ip: `2001:db8:2:${n + 20}::1` }))
    for (const { status } of await Promise.all(others)) expect(status).toBe(429)
    const counted = async () => {
      const rows = (await logOf(user)).filter(([event]) => event === 'user.sign_in_failed')
      const counts = rows.map(([, , details]) => (details as { count: number }).count)
      return [rows.length, counts.reduce((sum, count) => sum + count, 0)]
    }
    await until(async () => (await counted())[1] === 60)
    expect(await counted()).toEqual([30, 60])
  })

  it('of an unknown name leaves no row', async () => {
    const total = async () => (await t.call('GET /activity')).body.meta.total
    const before = await total()
    await login(t, 'nobody at all', wrong, here)
    expect(await total()).toBe(before)
  })

  it('with a wrong code is one too, and uses up what the password does', async () => {
    const user = await owner()
    await turnOnTwoFactor(t, user.id, newPhone())
    const { challenge } = (await login(t, user.email, {}, here)).body
    const answers = await Promise.all(
      wrongCodes('000000', 20).map((token) =>
        t.call('POST /login/2fa', { key: null, body: { challenge, token }, ...here }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(422))
    expect(await logOf(user)).toEqual([
      failed(here.ip, 'two_factor', 5),
      ['user.sign_ins_limited', here.ip, { budget: 'network', count: 1 }],
    ])
    expect((await login(t, user.email, {}, here)).status).toBe(429)
    expect((await login(t, user.email, {}, elsewhere)).body.challenge).toBeDefined()
  })
})

describe('a wrong current password', () => {
  it('is in the activity and limited by network: guesses from elsewhere lock nobody out', async () => {
    const user = await owner()
    const key = await signIn(t, user, {}, elsewhere)
    const change = (current_password: string, options: object) =>
      t.call('PATCH /me/details/auth', { key, body: { current_password, username: user.username }, ...options })
    for (let time = 0; time < 5; time++) expect((await change('not the password', here)).status).toBe(422)
    expect((await change(password, here)).status).toBe(429)
    expect((await change(password, elsewhere)).status).toBe(200)
    const more = { field: 'current_password' }
    expect((await logOf(user)).slice(0, 2)).toEqual([
      failed(here.ip, 'password', 5, more),
      ['user.sign_ins_limited', here.ip, { budget: 'network', count: 1 }],
    ])
    const { body } = await t.call(`GET /users/${user.id}/activity?filter[event]=user.sign_in_failed`)
    expect(body.data.map(({ actor_id }: { actor_id: number }) => actor_id)).toContain(user.id)
  })

  it('from ever new networks is looked at twenty times an hour', async () => {
    const { user, key } = await t.createUser({ password_hash: (await owner()).password_hash })
    const guess = (current_password: string, network: number) => {
      const body = { current_password, email: user.email }
      return t.call('PATCH /me/details/auth', { key, body, ip: `2001:db8:3:${network}::1` })
    }
    const statuses: number[] = []
    for (let network = 0; network < 25; network++) statuses.push((await guess('not the password', network)).status)
    expect(statuses).toEqual([...Array(20).fill(422), ...Array(5).fill(429)])
    expect((await guess(password, 99)).status).toBe(429)
  })
})

describe('a wrong code at enrolment', () => {
  it('is in the activity of the account with the acting user; a right one is not, nor is one that is no longer checked', async () => {
    const user = await owner()
    const code = await requestCode(t, user.id)
    const verify = (token: string) => t.call(`POST /users/${user.id}/2fa/verify`, { body: { token }, ...here })
    for (const token of wrongCodes(code, 8)) expect((await verify(token)).status).toBe(422)
    const more = { field: 'token' }
    expect(await logOf(user)).toEqual([failed(here.ip, 'two_factor', 5, more)])
    const { body } = await t.call(`GET /users/${user.id}/activity?filter[event]=user.sign_in_failed`)
    expect(body.data.map(({ actor_id }: { actor_id: number }) => actor_id)).toEqual([1])

    t.clock.advance({ minutes: 1 })
    const token = await requestCode(t, user.id)
    expect((await verify(token)).status).toBe(200)
    expect(await logOf(user)).toHaveLength(1)
  })

  it('of the caller’s own enrolment is recorded too, and is not counted at sign-in', async () => {
    const user = await owner()
    const key = await signIn(t, user, {}, here)
    const phone = newPhone()
    const body = { current_password: password, ...phone.body }
    expect((await t.call('PUT /me/2fa', { key, body, ...here })).status).toBe(200)
    const code = codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
    for (const wrongCode of wrongCodes(code, 5)) {
      expect((await t.call('POST /me/2fa/verify', { key, body: { token: wrongCode }, ...here })).status).toBe(422)
    }
    expect(await logOf(user)).toEqual([failed(here.ip, 'two_factor', 5, { field: 'token' })])
    expect((await login(t, user.email, {}, here)).status).toBe(200)
  })
})

describe('when failures rise tenfold over the day before', () => {
  const alerts = async (address = 'admin@example.com') =>
    (await messagesTo(t, address)).filter(({ template }) => template === 'sign-ins-failing').length
  const fail = async (times: number, ip: string) => {
    for (let time = 0; time < times; time++) await login(t, `somebody ${crypto.randomUUID()}`, wrong, { ip })
  }

  it('active administrators get one mail an hour', async () => {
    await t.createUser({ email: 'second@example.com', role_id: 1 })
    await t.createUser({ email: 'banned@example.com', role_id: 1, status: 'Banned' })
    const before = await alerts()
    await fail(29, '203.0.113.50')
    expect(await alerts()).toBe(before)
    await fail(1, '203.0.113.50')
    const everybody = ['admin@example.com', 'second@example.com', 'banned@example.com', 'user1@example.com']
    expect(await Promise.all(everybody.map(alerts))).toEqual([before + 1, 1, 0, 0])
    await fail(12, '203.0.113.51')
    t.clock.advance({ minutes: 59 })
    await fail(12, '203.0.113.51')
    expect(await alerts()).toBe(before + 1)
    // The hour before had 42 failures, or 54: ten times an average hour of the day is fewer than thirty.
    t.clock.advance({ minutes: 1 })
    await fail(30, '203.0.113.52')
    expect(await alerts()).toBe(before + 2)
  })

  it('again after the clock was set back', async () => {
    const before = await alerts()
    await t.ctx.unguarded.deleteFrom('tries').execute()
    await fail(30, '203.0.113.53')
    t.clock.advance({ hours: -30 })
    await fail(30, '203.0.113.54')
    t.clock.advance({ hours: 30 })
    expect(await alerts()).toBe(before + 2)
  })

  it('and not where they were as many before: a busy day is no alarm', async () => {
    const before = await alerts()
    const hours = Array.from({ length: 24 }, (_, index) => new Date(t.clock.now().getTime() - (index + 1) * 3_600_000))
    const rows = hours.map((hour) => ({
      name: `sign-in failures ${hour.toISOString().slice(0, 13)}`,
      count: 4,
      expires_ms: hour.getTime() + 86_400_000 * 2,
    }))
    await t.ctx.unguarded.deleteFrom('tries').execute()
    await t.ctx.unguarded.insertInto('tries').values(rows).execute()
    await fail(30, '203.0.113.60')
    expect(await alerts()).toBe(before)
    await fail(10, '203.0.113.61')
    expect(await alerts()).toBe(before + 1)
  })
})

it('/metrics counts sign-ins by how they ended', async () => {
  const read = async () => {
    const { text } = await t.call('GET //metrics')
    const found = text.matchAll(/^gatehouse_sign_ins_total\{outcome="(\w+)"\} (\d+)$/gm)
    return Object.fromEntries(Array.from(found, ([, outcome, total]) => [outcome, Number(total)]))
  }
  const before = await read()
  const user = await owner()
  await signIn(t, user, {}, here)
  for (let time = 0; time < 6; time++) await login(t, user.email, wrong, here)
  await login(t, 'nobody at all', wrong, elsewhere)
  const after = await read()
  const rise = Object.fromEntries(Object.keys(after).map((outcome) => [outcome, after[outcome] - before[outcome]]))
  expect(rise).toEqual({
    success: 1,
    challenged: 0,
    password: 6,
    two_factor: 0,
    banned: 0,
    unconfirmed: 0,
    limited: 1,
    overloaded: 0,
  })
})

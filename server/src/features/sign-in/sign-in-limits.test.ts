import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { createTestApp, startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { createOwner, login, onTwoNodes, password } from '../sessions/sessions-test-steps.ts'

/*
 * Failure limits are atomic, survive a restart, and are not rolled back with a failed request. Nobody can lock the owner out
 * from another address. The right password being refused shows that it was not checked.
 */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())
// The budgets of a network are shared by all of its accounts, so each test uses new networks.
beforeEach(() => t.clock.advance({ minutes: 10 }))

const wrong = { password: 'not the password' }
const here = { ip: '203.0.113.7' }
const elsewhere = { ip: '203.0.113.8' }

const statusOf = async (name: string, body: object = {}, options: object = here, app = t): Promise<number> =>
  (await login(app, name, body, options)).status

/** Five wrong attempts, the limit of a minute. */
async function useUp(name: string, options: object = here, app = t): Promise<void> {
  for (let time = 0; time < 5; time++) expect(await statusOf(name, wrong, options, app)).toBe(422)
}

const freshOwner = async (app = t): Promise<UserRow> => createOwner(app, { username: `owner ${crypto.randomUUID()}` })

const tally = (statuses: number[]) =>
  Object.fromEntries(
    Map.groupBy(statuses, String)
      .entries()
      .map(([k, v]) => [k, v.length]),
  )

describe('wrong passwords', () => {
  it('are limited to five a minute for one account from one address; then even the right one is 429', async () => {
    const user = await freshOwner()
    await useUp(user.email)
    const refused = await login(t, user.email, {}, here)
    expect([refused.status, refused.body]).toEqual([429, { message: 'Too Many Attempts.', code: 'too_many_attempts' }])
    expect(refused.headers['retry-after']).toBe('60')
    t.clock.advance({ seconds: 59 })
    expect((await login(t, user.email, {}, here)).headers['retry-after']).toBe('1')
    t.clock.advance({ seconds: 1 })
    expect(await statusOf(user.email)).toBe(200)
  })

  // asvs: 6.3.1
  it('50 at once: at most five are evaluated, the right one among them is not', async () => {
    const user = await freshOwner()
    const bodies = Array.from({ length: 50 }, (_, index) => (index === 30 ? { password } : wrong))
    const statuses = await Promise.all(bodies.map((body) => statusOf(user.email, body)))
    expect(tally(statuses)).toEqual({ 422: 5, 429: 45 })
    expect(statuses[30]).toBe(429)
  })

  it('50 at once on two nodes, by all names of the account: at most five are evaluated, and each name gets five answers', async () => {
    const node = await startNode(t)
    const user = await freshOwner()
    const names = [user.email, user.email.toUpperCase(), user.username as string, `\u200b${user.username}`]
    const tries = await onTwoNodes([t, node], 50, (app, index) =>
      statusOf(names[index % 4] as string, wrong, here, app),
    )
    expect(tally(tries)).toEqual({ 422: 10, 429: 40 })
    const [looked] = await t.ctx.unguarded
      .selectFrom('tries')
      .select(['count', 'reserved'])
      .where('name', '=', `login user ${user.id} ${here.ip}`)
      .execute()
    expect(looked).toEqual({ count: 5, reserved: 0 })
    expect([await statusOf(user.email), await statusOf(user.email, {}, here, node)]).toEqual([429, 429])
  })

  it('do not lock the owner out from another address', async () => {
    const user = await freshOwner()
    await useUp(user.email)
    expect([await statusOf(user.email), await statusOf(user.email, {}, elsewhere)]).toEqual([429, 200])
    // A sign-in of the owner elsewhere gives nobody here new attempts.
    expect(await statusOf(user.email)).toBe(429)
  })

  it('lock no other account out', async () => {
    const [one, other] = [await freshOwner(), await freshOwner()]
    await useUp(one.email)
    expect(await statusOf(other.email)).toBe(200)
  })

  it('from all of an IPv6 /64 are one caller, as are both spellings of an IPv4 address', async () => {
    const user = await freshOwner()
    for (let host = 1; host <= 5; host++)
      expect(await statusOf(user.email, wrong, { ip: `2001:db8:1:2:${host}::${host}` })).toBe(422)
    expect(await statusOf(user.email, {}, { ip: '2001:db8:1:2::99' })).toBe(429)
    expect(await statusOf(user.email, {}, { ip: '2001:db8:1:3::99' })).toBe(200)
    await useUp(user.email)
    expect(await statusOf(user.email, {}, { ip: `::ffff:${here.ip}` })).toBe(429)
  })

  it('are forgotten after the right one', async () => {
    const user = await freshOwner()
    for (let round = 0; round < 3; round++) {
      for (let time = 0; time < 4; time++) expect(await statusOf(user.email, wrong)).toBe(422)
      expect(await statusOf(user.email)).toBe(200)
    }
  })

  it('are not forgotten after a sign-in to another account', async () => {
    const [target, own] = [await freshOwner(), await freshOwner()]
    for (let time = 0; time < 5; time++) {
      expect([await statusOf(target.email, wrong), await statusOf(own.email)]).toEqual([422, 200])
    }
    expect(await statusOf(target.email)).toBe(429)
  })
})

describe('the limit', () => {
  it('survives a restart', async () => {
    const user = await freshOwner()
    const node = await startNode(t)
    await useUp(user.email, here, node)
    await node.close()
    const restarted = await startNode(t)
    expect(await statusOf(user.email, {}, here, restarted)).toBe(429)
  })

  it('counts an attempt whose request fails: the count is not part of its transaction', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const user = await freshOwner(app)
    for (let time = 0; time < 4; time++) await statusOf(user.email, wrong, here, app)
    const { transaction } = app.ctx
    Object.assign(app.ctx, { transaction: () => Promise.reject(new Error('The power went off.')) })
    expect(await statusOf(user.email, wrong, here, app)).toBe(422)
    Object.assign(app.ctx, { transaction })
    expect(await statusOf(user.email, {}, here, app)).toBe(429)
  })

  it.each(['off', '1000/minute'])('applies whatever GATEHOUSE_RATE_LIMIT says: %s', async (rate) => {
    const app = await createTestApp(inject('postgresUrl'), { GATEHOUSE_RATE_LIMIT: rate })
    const user = await freshOwner(app)
    await useUp(user.email, here, app)
    expect(await statusOf(user.email, {}, here, app)).toBe(429)
  })

  it('does not count invalid requests', async () => {
    const user = await freshOwner()
    for (let time = 0; time < 6; time++) expect(await statusOf(user.email, { password: '' })).toBe(422)
    expect(await statusOf(user.email)).toBe(200)
  })
})

describe('an unknown name', () => {
  it('is counted like a known one, in its canonical form', async () => {
    await useUp('nobody@bücher.example')
    const spellings = ['NOBODY@BÜCHER.EXAMPLE', 'nobody@xn--bcher-kva.example', 'nobody@ｂücher.example']
    for (const name of spellings) expect(await statusOf(name)).toBe(429)
    expect(await statusOf('nobody@bücher.example', {}, elsewhere)).toBe(422)
  })

  it('shares its counter with no account, so that nobody learns an id by trying numbers', async () => {
    const user = await freshOwner()
    for (const name of [`${user.id}`, `user ${user.id}`]) await useUp(name)
    expect(await statusOf(user.email)).toBe(200)
  })

  it('is not stored in readable form, because it may be a password', async () => {
    await statusOf('My-Secret-Passphrase-9')
    expect((await dumpDatabase(t)).toLowerCase()).not.toContain('my-secret-passphrase-9')
  })

  it('is no 5xx, however long its folded form is', async () => {
    const long = Array.from({ length: 255 }, (_, index) =>
      index % 2 ? '\ufdfa' : String.fromCodePoint(0x4e00 + index),
    )
    expect(await statusOf(long.join(''), wrong)).toBe(422)
    expect(await statusOf('\u200b\u200d', wrong)).toBe(422)
  })
})

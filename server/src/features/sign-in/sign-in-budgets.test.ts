import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { createOwner, login, onTwoNodes, signIn } from '../sessions/sessions-test-steps.ts'

/*
 * Spraying, credential stuffing and rotating networks are limited by account, network and service. A password that was not
 * checked is not counted. A stranger can use up nothing that the owner needs. The right password being refused shows that it
 * was not checked.
 */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())
beforeEach(() => t.clock.advance({ hours: 1 }))

const wrong = { password: 'not the password' }
const home = { ip: '198.51.100.9' }

const owner = (): Promise<UserRow> => createOwner(t, { username: `owner ${crypto.randomUUID()}` })

const statusOf = async (name: string, body: object, ip: string, app = t): Promise<number> =>
  (await login(app, name, body, { ip })).status

const tally = (statuses: readonly number[]) =>
  Object.fromEntries([...Map.groupBy(statuses, String)].map(([status, those]) => [status, those.length]))

const reserved = async () =>
  (await t.ctx.unguarded.selectFrom('tries').select('name').where('reserved', '>', 0).execute()).map(({ name }) => name)

describe('one password over many accounts', () => {
  // asvs: 6.3.1
  it('300 from one network: thirty are checked in ten minutes, on all nodes and after a restart', async () => {
    const ip = '203.0.113.20'
    const names = Array.from({ length: 299 }, (_, index) => `sprayed${index}@example.com`)
    const user = await owner()
    names.splice(3, 0, user.email)
    const node = await startNode(t)
    const statuses: number[] = []
    for (let wave = 0; wave < 300; wave += 30) {
      const those = names.slice(wave, wave + 30)
      const spray = (app: TestApp, index: number) => statusOf(those[index] as string, wrong, ip, app)
      statuses.push(...(await onTwoNodes([t, node], 30, spray)))
    }
    expect(tally(statuses)).toEqual({ 422: 30, 429: 270 })
    await node.close()
    const restarted = await startNode(t)
    const other = await owner()
    expect(await statusOf(other.email, {}, ip, restarted)).toBe(429)
    expect(await statusOf(other.email, {}, '203.0.113.21', restarted)).toBe(200)
    t.clock.advance({ minutes: 10 })
    expect(await statusOf(other.email, {}, ip)).toBe(200)
    expect(await reserved()).toEqual([])
  })

  it.each([
    ['IPv4 /24', (host: number) => `192.0.2.${host}`, 'login network 192.0.2.0/24', '192.0.3.1'],
    ['IPv6 /48', (host: number) => `2001:db8:5:${host}::1`, 'login network 2001:db8:5::/48', '2001:db8:6:1::1'],
  ])('from all of an %s: 150 are looked at in ten minutes', async (_, address, counter, outside) => {
    const [user, familiar] = [await owner(), await owner()]
    await signIn(t, familiar, {}, { ip: address(99) })
    expect(await statusOf('nobody@example.com', wrong, address(1))).toBe(422)
    const rows = t.ctx.unguarded.updateTable('tries').where('name', '=', counter)
    expect((await rows.set({ count: 148 }).where('count', '=', 1).executeTakeFirst()).numUpdatedRows).toBe(1n)
    expect(await statusOf('nobody@example.com', wrong, address(2))).toBe(422)
    expect(await statusOf('nobody@example.com', wrong, address(3))).toBe(422)
    expect([
      await statusOf('nobody@example.com', wrong, address(4)),
      await statusOf(user.email, {}, address(5)),
    ]).toEqual([429, 429])
    // A user who signed in there before is not locked out by the neighbours.
    expect(await statusOf(familiar.email, {}, address(99))).toBe(200)
    expect(await statusOf(user.email, {}, outside)).toBe(200)
  })

  it('right ones are never counted: 40 sign-ins from one network', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, owner))
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => statusOf(users[index % 10]?.email as string, {}, '203.0.113.30')),
    )
    expect(tally(statuses)).toEqual({ 200: 40 })
    expect(await reserved()).toEqual([])
  })
})

describe('one account', () => {
  it('from sixty /64s of a /48: twenty are looked at in an hour, and its owner signs in from home', async () => {
    const user = await owner()
    await signIn(t, user, {}, home)
    const networks = Array.from({ length: 60 }, (_, index) => `2001:db8:7:${index}::1`)
    const statuses = await Promise.all(networks.map((ip) => statusOf(user.email, wrong, ip)))
    expect(tally(statuses)).toEqual({ 422: 20, 429: 40 })
    expect(await statusOf(user.email, {}, '203.0.113.40'), 'the right one from a new network').toBe(429)
    expect(await statusOf(user.username as string, {}, '203.0.113.41'), 'by another name').toBe(422)
    expect(await statusOf(user.email, wrong, home.ip)).toBe(422)
    expect(await statusOf(user.email, {}, home.ip)).toBe(200)
    t.clock.advance({ hours: 1 })
    expect(await statusOf(user.email, {}, '203.0.113.40')).toBe(200)
  })

  it('whose budgets are used up signs in after the clock was set back', async () => {
    const user = await owner()
    const ip = '203.0.113.60'
    for (let time = 0; time < 5; time++) expect(await statusOf(user.email, wrong, ip)).toBe(422)
    expect(await statusOf(user.email, {}, ip)).toBe(429)
    t.clock.advance({ hours: -2 })
    expect(await statusOf(user.email, {}, ip)).toBe(200)
    t.clock.advance({ hours: 2 })
  })

  it('parallel right passwords from one network all sign in: eight, and eight more on another node', async () => {
    const user = await owner()
    const node = await startNode(t)
    const ip = '203.0.113.50'
    for (let time = 0; time < 3; time++) expect(await statusOf(user.email, wrong, ip)).toBe(422)
    const statuses = await onTwoNodes([t, node], 16, (app) => statusOf(user.email, {}, ip, app))
    expect(tally(statuses)).toEqual({ 200: 16 })
    expect(await reserved()).toEqual([])
  })

  it('a sign-in makes its network familiar, only for that account, until the user is deleted', async () => {
    const [user, other] = [await owner(), await owner()]
    await signIn(t, user, {}, home)
    const networks = t.ctx.unguarded.selectFrom('sign_in_networks').select('user_id')
    const of = (id: number) => networks.where('user_id', '=', id).execute()
    expect([await of(user.id), await of(other.id)]).toEqual([[{ user_id: user.id }], []])
    await signIn(t, user, {}, home)
    expect(await of(user.id)).toHaveLength(1)
    await t.call(`DELETE /users/${user.id}`)
    expect(await of(user.id)).toEqual([])
  })

  it('keeps the last fifty networks of its sign-ins', async () => {
    const user = await owner()
    const row = (index: number) => ({ user_id: user.id, network_hash: `network ${index}`, last_used_ms: index })
    await t.ctx.unguarded
      .insertInto('sign_in_networks')
      .values(Array.from({ length: 50 }, (_, i) => row(i)))
      .execute()
    await signIn(t, user, {}, home)
    const kept = await t.ctx.unguarded
      .selectFrom('sign_in_networks')
      .select('network_hash')
      .where('user_id', '=', user.id)
      .execute()
    expect(kept).toHaveLength(50)
    expect(kept.map(({ network_hash }) => network_hash)).not.toContain('network 0')
    expect(kept.map(({ network_hash }) => network_hash)).toContain('network 1')
  })
})

describe('the names of an account', () => {
  const ip = '203.0.113.60'
  const answersOf = async (name: string, body: object, times: number) => {
    const answers: [number, string, boolean][] = []
    for (let time = 0; time < times; time++) {
      const { status, text, headers } = await login(t, name, body, { ip })
      answers.push([status, text, headers['retry-after'] !== undefined])
    }
    return answers
  }

  it('do not reveal each other: when one is used up, the other answers like an unknown name', async () => {
    const user = await owner()
    const unknown = [await answersOf('nobody one', wrong, 6), await answersOf('nobody-two@example.com', wrong, 6)]
    t.clock.advance({ minutes: 10 })
    const known = [await answersOf(user.username as string, wrong, 6), await answersOf(user.email, {}, 6)]
    expect(known, 'the right password among them').toEqual(unknown)
    expect(known.flat().map(([status]) => status)).toEqual([422, 422, 422, 422, 422, 429, 422, 422, 422, 422, 422, 429])
    t.clock.advance({ minutes: 1 })
    expect(await statusOf(user.email, {}, ip)).toBe(200)
    expect(await statusOf(user.username as string, {}, ip), 'what the one made up for').toBe(200)
  })
  it('are all forgiven by a sign-in with one of them', async () => {
    const user = await owner()
    for (let round = 0; round < 3; round++) {
      expect((await answersOf(user.username as string, wrong, 3)).map(([status]) => status)).toEqual([422, 422, 422])
      expect(await statusOf(user.email, wrong, ip)).toBe(422)
      expect(await statusOf(user.email, {}, ip)).toBe(200)
    }
  })
})

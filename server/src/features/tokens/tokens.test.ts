import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { dumpDatabase } from '../../testing/accounts.ts'
import { startNode, startTestApp, type TestApp } from '../../testing/app.ts'
import { wrongCodes } from '../../testing/two-factor.ts'
import {
  createToken,
  createTokens,
  createTokenWithCode,
  findToken,
  findUserToken,
  isCodeOf,
  removeOldTokens,
  takeToken,
  tryToken,
  voidTokens,
} from './tokens.service.ts'
import type { TokenPurpose } from './tokens.table.ts'

/*
 * Codes come from a CSPRNG, are stored as a hash, work once, and expire after 5 wrong attempts, also parallel ones. Each is
 * bound to its user.
 */

let t: TestApp
let node: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  node = await startNode(t)
})
afterAll(() => t.close())

const livesMs = 60_000
const newUser = async () => (await t.createUser()).user.id
const make = (userId: number, purpose: TokenPurpose = 'password_reset', data?: Record<string, unknown>) =>
  t.ctx.transaction(systemActor, (tx) =>
    createToken(tx, { purpose, userId, livesMs, ...(data === undefined ? {} : { data }) }),
  )
const makeCode = (userId: number) =>
  t.ctx.transaction(systemActor, (tx) => createTokenWithCode(tx, { purpose: 'login_challenge', userId, livesMs }))
const find = (token: string, purpose: TokenPurpose = 'password_reset') => findToken(t.ctx, purpose, token)
const take = (token: string, { ctx } = t) =>
  ctx.transaction(systemActor, (tx) => takeToken(tx, 'password_reset', token))
const enter = (token: string, code: string, app = t, purpose: TokenPurpose = 'login_challenge') =>
  tryToken(app.ctx, purpose, hashSecret(token), {
    beforeLooking: async () => {},
    isRight: (row) => isCodeOf(row, code),
    whenRight: async (row, useUp) => {
      await app.ctx.transaction(systemActor, useUp)
      return row
    },
  })
const found = <T>(results: readonly (T | undefined)[]) => results.filter((result) => result !== undefined)

describe('a token', () => {
  // asvs: 11.2.3, 11.4.1, 11.5.1
  it('has 32 random bytes, and is kept as a SHA-256 only', async () => {
    const user = await newUser()
    const tokens = new Set<string>()
    for (let made = 0; made < 20; made++) tokens.add(await make(user))
    expect(tokens.size).toBe(20)
    const contents = await dumpDatabase(t)
    for (const token of tokens) {
      expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
      expect(contents).not.toContain(token)
    }
  })

  it('works once: of 50 parallel uses on two nodes, one succeeds', async () => {
    const user = await newUser()
    const token = await make(user, 'password_reset', { email: 'ada@example.com' })
    const results = await Promise.all(Array.from({ length: 50 }, (_, index) => take(token, index % 2 ? t : node)))
    expect(found(results)).toEqual([expect.objectContaining({ user_id: user, data: '{"email":"ada@example.com"}' })])
    expect([await take(token), await find(token)]).toEqual([undefined, undefined])
  })

  it('stays valid while it is only checked', async () => {
    const token = await make(await newUser())
    for (let time = 0; time < 3; time++) expect(await find(token)).toBeDefined()
    expect(await take(token)).toBeDefined()
  })

  it('is valid until it expires, checked at its use', async () => {
    const [kept, late] = [await make(await newUser()), await make(await newUser())]
    t.clock.advance({ seconds: 59 })
    expect(await take(kept)).toBeDefined()
    t.clock.advance({ seconds: 1 })
    expect([await find(late), await take(late)]).toEqual([undefined, undefined])
  })

  it('is valid only for its purpose', async () => {
    const token = await make(await newUser(), 'email_verification')
    const others: TokenPurpose[] = ['password_reset', 'email_change', 'login_challenge', 'two_factor_enrolment']
    for (const purpose of others) {
      expect(await find(token, purpose)).toBeUndefined()
      expect(await t.ctx.transaction(systemActor, (tx) => takeToken(tx, purpose, token))).toBeUndefined()
    }
    expect(await find(token, 'email_verification')).toBeDefined()
  })

  it('is matched exactly: shorter, longer, in other case, its hash or a pattern are invalid', async () => {
    const token = await make(await newUser())
    const other = [...token].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
    for (const bad of ['', '%', '_'.repeat(43), token.slice(1), token.slice(0, -1), `${token}A`, `${token} `, other])
      expect(await take(bad)).toBeUndefined()
    expect(await take(hashSecret(token))).toBeUndefined()
    expect(await take(token)).toBeDefined()
  })

  it('is void after a newer one of the same user and purpose, and no other', async () => {
    const [user, neighbour] = [await newUser(), await newUser()]
    const [old, foreign, verification] = [
      await make(user),
      await make(neighbour),
      await make(user, 'email_verification'),
    ]
    const recent = await make(user)
    expect([await find(old), await find(recent), await find(foreign)].map((row) => row !== undefined)).toEqual([
      false,
      true,
      true,
    ])
    expect(await find(verification, 'email_verification')).toBeDefined()
    await voidTokens(t.ctx.unguarded, user, ['password_reset', 'email_verification'])
    expect([await find(recent), await find(verification, 'email_verification')]).toEqual([undefined, undefined])
    expect(await find(foreign)).toBeDefined()
  })

  it('for each of many users leaves the oldest valid ones of each that are bound to the same, as many as may stay', async () => {
    const [user, neighbour] = [await newUser(), await newUser()]
    const [here, there] = [{ email: 'here@example.com' }, { email: 'there@example.com' }]
    const kind = { purpose: 'secure_account', livesMs, beside: 2 } as const
    const makeAll = async (data: Record<string, unknown>) => {
      t.clock.advance({ seconds: 10 })
      const owners = [user, neighbour].map((userId) => ({ userId, data }))
      return t.ctx.transaction(systemActor, (tx) => createTokens(tx, kind, owners))
    }
    const old = await makeAll(here)
    const other = await makeAll(there)
    const made = [old, await makeAll(here), await makeAll(here), await makeAll(here)]
    const areValid = (tokens: readonly string[]) =>
      Promise.all(tokens.map(async (token) => (await find(token, 'secure_account')) !== undefined))
    expect(await Promise.all(made.map(areValid))).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [true, true],
    ])
    expect(await areValid(other)).toEqual([true, true])
    expect((await find(made[3]?.[1] ?? '', 'secure_account'))?.user_id).toBe(neighbour)
    t.clock.advance({ seconds: 20 }) // the oldest have expired: they give their place to newer ones
    const last = await makeAll(here)
    expect(await Promise.all([...made, last].map(areValid))).toEqual([
      [false, false],
      [true, true],
      [false, false],
      [true, true],
      [true, true],
    ])
  })

  it('is deleted with its user, and when it is old', async () => {
    const user = await newUser()
    const [token, kept] = [await make(user), await make(await newUser())]
    await t.call(`DELETE /users/${user}`)
    expect(await find(token)).toBeUndefined()
    await removeOldTokens(t.ctx)
    expect(await find(kept)).toBeDefined()
    t.clock.advance({ seconds: 60 })
    await removeOldTokens(t.ctx)
    expect(await t.ctx.unguarded.selectFrom('tokens').selectAll().execute()).toEqual([])
  })
})

describe('a code', () => {
  it('has six digits of every value, the first ones too, and is kept as a hash that its token goes into', async () => {
    const user = await newUser()
    const codes: string[] = []
    for (let made = 0; made < 60; made++) codes.push((await makeCode(user)).code)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    expect(new Set(codes).size).toBeGreaterThan(55)
    expect(new Set(codes.map((code) => code[0])).size).toBeGreaterThan(5)
    const { token, code } = await makeCode(user)
    const { code_hash } = (await findUserToken(t.ctx, user, 'login_challenge')) ?? {}
    expect(code_hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
    // A table of the hashes of all codes does not help to read it.
    expect(code_hash).not.toBe(hashSecret(code))
    const contents = await dumpDatabase(t)
    for (const secret of [token, `"${code}"`]) expect(contents).not.toContain(secret)
  })

  it('works once: of 50 parallel attempts on two nodes, one succeeds', async () => {
    const user = await newUser()
    const { token, code } = await makeCode(user)
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => enter(token, code, index % 2 ? t : node)),
    )
    expect(found(results)).toEqual([expect.objectContaining({ user_id: user })])
  })

  it('expires after five wrong attempts, also parallel ones: the right one among or after them fails', async () => {
    const { token, code } = await makeCode(await newUser())
    const wrong = wrongCodes(code, 50)
    const codes = [...wrong.slice(0, 5), ...wrong.slice(5).map(() => code)]
    const results: unknown[] = []
    for (const tried of codes) results.push(await enter(token, tried))
    expect(found(results)).toEqual([])

    const crowd = await makeCode(await newUser())
    const tries = wrongCodes(crowd.code, 50).map((tried, index) => enter(crowd.token, tried, index % 2 ? t : node))
    expect(found(await Promise.all(tries))).toEqual([])
    expect(await enter(crowd.token, crowd.code)).toBeUndefined()
    const row = await findToken(t.ctx, 'login_challenge', crowd.token)
    expect(row?.tries).toBe(5)
  })

  it('succeeds at the fifth attempt', async () => {
    const { token, code } = await makeCode(await newUser())
    for (const wrong of wrongCodes(code, 4)) expect(await enter(token, wrong)).toBeUndefined()
    expect(await enter(token, code)).toBeDefined()
  })

  it('counts attempts that are not codes at all', async () => {
    const { token, code } = await makeCode(await newUser())
    for (const wrong of ['', ' ', 'x'.repeat(255), `${code} `, '０１２３４５']) await enter(token, wrong)
    expect(await enter(token, code)).toBeUndefined()
  })

  it('is valid only with its own token, until it expires', async () => {
    const [one, other] = [await makeCode(await newUser()), await makeCode(await newUser())]
    if (one.code !== other.code) expect(await enter(one.token, other.code)).toBeUndefined()
    expect(await enter('unknown', one.code)).toBeUndefined()
    expect(await enter(one.token, one.code, t, 'two_factor_enrolment')).toBeUndefined()
    t.clock.advance({ seconds: 60 })
    expect(await enter(one.token, one.code)).toBeUndefined()
  })

  it('does not exist for a token without a code', async () => {
    const token = await make(await newUser(), 'login_challenge')
    for (const code of ['', 'null', 'undefined', '000000']) expect(await enter(token, code)).toBeUndefined()
  })
})

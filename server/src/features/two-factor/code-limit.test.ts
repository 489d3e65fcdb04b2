import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messagesTo, messageTo } from '../../testing/messages.ts'
import { requestCode, turnOnTwoFactor, wrongCodes } from '../../testing/two-factor.ts'

/*
 * A code has six digits and five attempts. Without a limit for the account, an attacker who keeps asking for new codes would
 * guess one within days.
 */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

/** Asks for a new code, and enters some. */
type Round = () => Promise<{ code: string; type: (code: string) => Promise<number> }>

async function signingIn(): Promise<{ email: string; round: Round }> {
  const { user } = await createAccount(t)
  const { e164 } = await turnOnTwoFactor(t, user.id)
  const round: Round = async () => {
    // Wrong codes are also failed sign-ins with their own budgets. This test is about the limit of codes.
    await t.ctx.unguarded.deleteFrom('tries').where('name', 'not like', 'codes %').execute()
    const { challenge } = (await signIn(t, user.email)).body
    const code = codeIn(await messageTo(t, e164, 'two-factor-login'))
    const type = async (token: string) =>
      (await t.call('POST /login/2fa', { key: null, body: { challenge, token } })).status
    return { code, type }
  }
  return { email: user.email, round }
}

async function enrolling(): Promise<{ email: string; round: Round }> {
  const { user } = await createAccount(t)
  const round: Round = async () => {
    const code = await requestCode(t, user.id)
    const type = async (token: string) =>
      (await t.call(`POST /users/${user.id}/2fa/verify`, { body: { token } })).status
    return { code, type }
  }
  return { email: user.email, round }
}

/** The statuses of this many wrong codes, with a new code after every four. */
async function typeWrong(round: Round, count: number): Promise<number[]> {
  const statuses: number[] = []
  while (statuses.length < count) {
    const { code, type } = await round()
    for (const wrong of wrongCodes(code, Math.min(4, count - statuses.length))) statuses.push(await type(wrong))
  }
  return statuses
}

const told = async (email: string) =>
  (await messagesTo(t, email)).filter(({ template }) => template === 'too-many-codes')

describe.each([
  ['signing in', signingIn],
  ['enrolment', enrolling],
])('codes at %s, without a budget of SMS', (_, begin) => {
  // asvs: 6.6.3
  it('are checked 20 times an hour; beyond that even the right one is 429, and the owner is notified once', async () => {
    const { email, round } = await begin()
    expect(await typeWrong(round, 20)).toEqual(Array(20).fill(422))
    expect(await told(email)).toEqual([])
    const { code, type } = await round()
    // More often than the five tries of a token: what is refused uses none of them up.
    for (let time = 0; time < 6; time++) expect(await type(code)).toBe(429)
    expect(await typeWrong(round, 6)).toEqual(Array(6).fill(429))
    expect(await told(email)).toHaveLength(1)
    t.clock.advance({ hours: 1 })
    const next = await round()
    expect(await next.type(next.code)).toBe(200)
  })

  it('are counted one by one when sent in parallel', async () => {
    const { email, round } = await begin()
    await typeWrong(round, 18)
    const { code, type } = await round()
    const statuses = await Promise.all(wrongCodes(code, 5).map(type))
    expect(statuses.sort()).toEqual([422, 422, 429, 429, 429])
    expect(await told(email)).toHaveLength(1)
  })

  it('of one account do not affect another', async () => {
    const [one, other] = [await begin(), await begin()]
    await typeWrong(one.round, 21)
    const { code, type } = await other.round()
    expect(await type(code)).toBe(200)
  })
})

it('right codes are not counted: a user can sign in as often as they like', async () => {
  const { email, round } = await signingIn()
  for (let time = 0; time < 25; time++) {
    const { code, type } = await round()
    expect(await type(code)).toBe(200)
  }
  expect(await typeWrong(round, 20)).toEqual(Array(20).fill(422))
  expect(await told(email)).toEqual([])
})

it('codes for an expired or unknown challenge are not counted', async () => {
  const { round } = await signingIn()
  const { code, type } = await round()
  for (const wrong of wrongCodes(code, 5)) await type(wrong)
  for (let time = 0; time < 30; time++) expect(await type(code)).toBe(422)
  expect(await typeWrong(round, 15)).toEqual(Array(15).fill(422))
})

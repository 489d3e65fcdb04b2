import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { addPasskey } from '../../testing/authenticator.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { addTotp } from '../../testing/totp.ts'
import { type TestPhone, turnOnTwoFactor } from '../../testing/two-factor.ts'
import { createOwner, login, password } from '../sessions/sessions-test-steps.ts'

/* Where no SMS can be sent, a sign-in goes on with the methods that are left. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: '2/hour' })
})
afterAll(() => t.close())

interface Owner {
  readonly email: string
  readonly id: number
  readonly phone: TestPhone
}

async function withPhone(): Promise<Owner> {
  const { id, email } = await createOwner(t)
  return { id, email, phone: await turnOnTwoFactor(t, id) }
}

const proof = { current_password: password }
const answer = (challenge: string, body: object) =>
  t.call('POST /login/2fa', { key: null, body: { challenge, ...body } })

/** Signs in until the budget of the phone's number is used up. */
async function useUp({ email }: Owner): Promise<void> {
  for (let times = 0; times < 2; times++) expect((await login(t, email)).body.methods[0]).toBe('sms')
}

/** Recovery codes, made in a session that began with an SMS. */
async function codesOf({ email, phone }: Owner): Promise<readonly string[]> {
  const { challenge } = (await login(t, email)).body
  const token = codeIn(await messageTo(t, phone.e164, 'two-factor-login'))
  const { body } = await answer(challenge, { token })
  const codes = (await t.call('POST /me/recovery-codes', { key: body.token, body: proof })).body.recovery_codes
  t.clock.advance({ days: 1 }) // a new budget
  return codes
}

describe('a used-up budget of SMS', () => {
  it('offers the recovery codes, and says in the log that the SMS was preferred', async () => {
    const owner = await withPhone()
    const [code] = await codesOf(owner)
    await useUp(owner)
    const { status, body } = await login(t, owner.email)
    expect([status, body.methods]).toEqual([200, ['recovery_code']])
    const again = await t.call('POST /login/2fa/sms', { key: null, body: { challenge: body.challenge } })
    expect([again.status, again.body.code]).toEqual([429, 'too_many_attempts'])
    expect((await answer(body.challenge, { token: code })).status).toBe(200)
    const { data } = (await t.call(`GET /users/${owner.id}/activity?filter[event]=user.signed_in`)).body
    expect(data[0].details).toEqual({ method: 'recovery_code', preferred: 'sms' })
  })

  it('offers a passkey', async () => {
    const owner = await withPhone()
    const { authenticator } = await addPasskey(t, owner.id)
    await useUp(owner)
    const { methods, challenge, options } = (await login(t, owner.email)).body
    expect(methods).toEqual(['passkey'])
    expect((await answer(challenge, { credential: authenticator.get(options) })).status).toBe(200)
  })

  it('is 429 where nothing else could answer, until there is a new one', async () => {
    const owner = await withPhone()
    await useUp(owner)
    const { status, body, headers } = await login(t, owner.email)
    expect([status, body.code, Number(headers['retry-after']) > 0]).toEqual([429, 'too_many_attempts', true])
    t.clock.advance({ hours: 1 })
    expect((await login(t, owner.email)).body.methods).toEqual(['sms'])
  })

  it('does not matter where an app is preferred', async () => {
    const owner = await withPhone()
    await useUp(owner)
    await addTotp(t, owner.id)
    const { status, body } = await login(t, owner.email)
    expect([status, body.methods]).toEqual([200, ['totp', 'sms']])
  })
})

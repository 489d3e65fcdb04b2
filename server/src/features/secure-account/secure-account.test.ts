import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import { dumpDatabase, oldPassword, requestResetToken, reset, rowOf } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { addTotp } from '../../testing/totp.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

/* With the link in a mail about security, people can take their account back. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.advance({ minutes: 11 }))

const secure = (token: unknown) => t.call('POST /secure-account', { key: null, body: { token } })
const preview = (token: unknown) => t.call('POST /secure-account/preview', { key: null, body: { token } })
const proof = { current_password: password }
const linkIn = async (email: string, template: string) => tokenIn(await messageTo(t, email, template))

/** Changes the address of a user by the link to the new one. */
async function moveTo(key: string, email: string): Promise<void> {
  const asked = await t.call('PATCH /me/details/auth', { key, body: { ...proof, email } })
  expect(asked.status, asked.text).toBe(200)
  const token = tokenIn(await messageTo(t, email, 'confirm-email'))
  expect((await t.call('POST /email/verify', { key: null, body: { token, password } })).status).toBe(200)
}

describe('securing an account', () => {
  it('says first what it would do, as often as a scanner asks', async () => {
    const user = await createOwner(t)
    await signIn(t, user)
    await turnOnTwoFactor(t, user.id)
    const token = await linkIn(user.email, 'two-factor-on')
    for (let times = 0; times < 3; times++) {
      const { status, body } = await preview(token)
      expect([status, body.data]).toEqual([
        200,
        {
          email: user.email,
          restores_email: false,
          sessions: 1,
          api_keys: 1,
          factors: 1,
          expires_at: expect.stringMatching(/^2026/),
        },
      ])
    }
  })

  it('ends sessions, revokes recent keys, voids what is pending and the password, and sends a reset; once', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const oldKey = await t.ctx.unguarded
      .insertInto('api_keys')
      .values({
        user_id: user.id,
        name: 'Old',
        name_key: 'old',
        key_hash: `h${user.id}`,
        created_at: '2026-01-01 00:00:00',
        updated_at: '',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await t.call('PATCH /me/details/auth', { key, body: { ...proof, email: `thief.${user.email}` } })
    const pending = tokenIn(await messageTo(t, `thief.${user.email}`, 'confirm-email'))
    await addTotp(t, user.id)
    await turnOnTwoFactor(t, user.id)
    const token = await linkIn(user.email, 'two-factor-on')
    const done = await secure(token)
    expect([done.status, done.body]).toEqual([200, { success: true }])
    expect((await t.call('GET /me', { key })).status).toBe(401)
    const keys = await t.ctx.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()
    expect(keys).toEqual([{ id: oldKey.id }])
    expect((await t.call('POST /email/verify', { key: null, body: { token: pending, password } })).status).toBe(400)
    expect((await login(t, user.email)).status).toBe(422)
    const again = await secure(token)
    expect([again.status, again.body.code]).toEqual([400, 'secure_account_token_invalid'])
    const resetToken = await linkIn(user.email, 'reset-password')
    expect((await reset(t, resetToken, user.email, oldPassword)).status).toBe(200)
    const { body } = await login(t, user.email, { password: oldPassword })
    expect(body.methods).toEqual(['totp', 'sms']) // the factors stay
  })

  it('takes an old key whose secret is new: the rotation is mailed, and the link revokes it', async () => {
    const user = await createOwner(t, { role_id: await t.createRole('Key rotators', ['api-keys.manage']) })
    const first = await signIn(t, user)
    const create = async (name: string) =>
      (await t.call('POST /api-keys', { key: first, body: { name } })).body.data.id as number
    const [rotated, renamed] = [await create('Rotated'), await create('Renamed')]
    t.clock.advance({ days: 8 })
    const key = await signIn(t, user)
    await t.call(`PATCH /api-keys/${renamed}`, { key, body: { name: 'Another' } })
    expect((await t.call(`POST /api-keys/${rotated}/rotate`, { key })).status).toBe(200)
    const told = await messageTo(t, user.email, 'api-key-created')
    expect(told.body_text).toContain('your API key Rotated was given a new secret')
    expect((await preview(tokenIn(told))).body.data).toMatchObject({ api_keys: 1 })
    expect((await secure(tokenIn(told))).status).toBe(200)
    const keys = await t.ctx.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()
    const ids = keys.map(({ id }) => id)
    expect([ids.includes(rotated), ids.includes(renamed)]).toEqual([false, true])
  })

  it('takes a change of address back', async () => {
    const user = await createOwner(t)
    await moveTo(await signIn(t, user), `elsewhere.${user.email}`)
    const token = await linkIn(user.email, 'email-changed')
    expect((await preview(token)).body.data).toMatchObject({ email: user.email, restores_email: true })
    expect((await secure(token)).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(user.email)
    const resetToken = await linkIn(user.email, 'reset-password')
    expect((await reset(t, resetToken, user.email)).status).toBe(200)
  })

  it('does not take back what an administrator changed, also with an older link', async () => {
    const user = await createOwner(t)
    await turnOnTwoFactor(t, user.id)
    const email = `given.${user.email}`
    await t.call(`PATCH /users/${user.id}`, { body: { email } })
    for (const template of ['two-factor-on', 'email-changed']) {
      expect((await preview(await linkIn(user.email, template))).body.data).toMatchObject({
        email,
        restores_email: false,
      })
    }
    expect((await secure(await linkIn(user.email, 'email-changed'))).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(email)
    expect(await linkIn(email, 'reset-password')).not.toBe('')
  })

  it('is not a way for whoever held the address in between', async () => {
    const user = await createOwner(t)
    const thief = `thief.${user.email}`
    const key = await signIn(t, user)
    await moveTo(key, thief)
    t.clock.advance({ minutes: 2 })
    await moveTo(key, user.email) // the owner changes it back by themselves
    const token = await linkIn(thief, 'email-changed')
    expect((await preview(token)).body.data).toMatchObject({ email: user.email, restores_email: false })
    await secure(token)
    expect((await rowOf(t, user.id)).email).toBe(user.email)
    await expect(messageTo(t, thief, 'reset-password')).rejects.toThrow('no reset-password')
  })

  it('that a thief got for an address in between does not void the one of the owner', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    await moveTo(key, `thief.${user.email}`)
    t.clock.advance({ minutes: 2 })
    await moveTo(key, `thief.2.${user.email}`)
    expect((await secure(await linkIn(`thief.${user.email}`, 'email-changed'))).status).toBe(200)
    expect((await secure(await linkIn(user.email, 'email-changed'))).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(user.email)
  })

  it('in the mail about a changed address lasts, however many mails a thief had sent before and after', async () => {
    const user = await createOwner(t)
    const key = await signIn(t, user)
    const now = t.clock.now().getTime()
    const links = Array.from({ length: 49 }, (_, n) => ({
      token_hash: `before ${user.id} ${n}`,
      purpose: 'secure_account' as const,
      user_id: user.id,
      code_hash: null,
      tries: 0,
      data: JSON.stringify({ email: user.email }),
      created_ms: now - 100 + n,
      expires_ms: now + 3_600_000,
    }))
    await t.ctx.unguarded.insertInto('tokens').values(links).execute()
    await moveTo(key, `thief.${user.email}`)
    await turnOnTwoFactor(t, user.id)
    expect((await secure(await linkIn(user.email, 'email-changed'))).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(user.email)
  })

  it('takes an address back that somebody registered meanwhile without proving it; a proved one stays theirs', async () => {
    for (const isProved of [false, true]) {
      const user = await createOwner(t)
      const thief = `thief.${user.email}`
      await moveTo(await signIn(t, user), thief)
      const link = await linkIn(user.email, 'email-changed')
      const squatter = { username: `s${user.id}`, email: user.email, password, password_confirmation: password }
      expect((await t.call('POST /register', { key: null, body: squatter })).status).toBe(201)
      if (isProved) {
        const token = tokenIn(await messageTo(t, user.email, 'confirm-email'))
        await t.call('POST /email/verify', { key: null, body: { token, password } })
      }
      const expected = isProved ? thief : user.email
      expect((await preview(link)).body.data).toMatchObject({ email: expected, restores_email: !isProved })
      expect((await secure(link)).status).toBe(200)
      expect((await rowOf(t, user.id)).email).toBe(expected)
      expect((await login(t, `s${user.id}`)).status).toBe(isProved ? 200 : 422)
    }
  })

  it('voids the other links of the account', async () => {
    const user = await createOwner(t)
    await moveTo(await signIn(t, user), `other.${user.email}`)
    await turnOnTwoFactor(t, user.id)
    const theirs = await linkIn(`other.${user.email}`, 'two-factor-on')
    expect((await secure(await linkIn(user.email, 'email-changed'))).status).toBe(200)
    expect((await secure(theirs)).status).toBe(400)
  })

  it('lasts 72 hours, is stored as a hash, and works once of 50 parallel tries', async () => {
    const user = await createOwner(t)
    await turnOnTwoFactor(t, user.id)
    const token = await linkIn(user.email, 'two-factor-on')
    expect(await dumpDatabase(t)).not.toContain(token)
    t.clock.advance({ hours: 71, minutes: 59 })
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => secure(token)))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    await turnOnTwoFactor(t, (await createOwner(t)).id)
    const other = await createOwner(t)
    await turnOnTwoFactor(t, other.id)
    const late = await linkIn(other.email, 'two-factor-on')
    t.clock.advance({ hours: 72 })
    expect((await secure(late)).status).toBe(400)
  })

  it.each([null, '', 0, true, [], {}])('refuses %j as the token with 422', async (token) => {
    expect((await secure(token)).status).toBe(422)
    expect((await preview(token)).status).toBe(422)
  })
})

it('the reset link of an account that was taken back works where resets are switched off, and no other does', async () => {
  const owner = await createOwner(t)
  const before = await requestResetToken(t, owner.email)
  await t.call('PATCH /settings', { body: { 'password_reset.enabled': false } })
  onTestFinished(() => void t.call('PATCH /settings', { body: { 'password_reset.enabled': true } }))
  await turnOnTwoFactor(t, owner.id)
  expect((await secure(await linkIn(owner.email, 'two-factor-on'))).status).toBe(200)
  const token = await linkIn(owner.email, 'reset-password')
  expect((await reset(t, before, owner.email)).status).toBe(404)
  const see = (email: string) => t.call('POST /password/reset/preview', { key: null, body: { token, email } })
  expect([(await see(owner.email)).status, (await see('another@example.com')).status]).toEqual([200, 400])
  expect((await reset(t, token, owner.email)).status).toBe(200)
  expect((await reset(t, token, owner.email)).status, 'used').toBe(404)
})

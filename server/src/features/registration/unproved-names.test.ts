import { beforeEach, describe, expect, inject, it } from 'vitest'
import {
  newcomer,
  newPassword,
  oldPassword,
  register,
  remind,
  requestResetToken,
  reset,
  signIn,
  verifyEmail,
} from '../../testing/accounts.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { totpCode } from '../../testing/totp.ts'
import { removeUnconfirmed } from './unconfirmed-accounts.ts'

/* Where registration asks for no confirmation, an account may have the address of somebody who never heard of it. */

const words = 'Win-A-Prize'
const victim = 'victim@example.com'

let t: TestApp
let key: string
beforeEach(async () => {
  t = await createTestApp(inject('postgresUrl'))
  await t.call('PATCH /settings', { body: { 'registration.email_confirmation': false } })
  await register(t, newcomer({ username: words, email: victim }))
  key = (await signIn(t, victim)).body.token
  await t.call('PATCH /me/details', { key, body: { first_name: words, last_name: words } })
})

const changeOwn = (body: object, current_password = oldPassword) =>
  t.call('PATCH /me/details/auth', { key, body: { current_password, ...body } })
const password = { password: newPassword, password_confirmation: newPassword }
const wordsIn = async (email = victim) =>
  (await messagesTo(t, email))
    .filter(({ subject, body_text, body_html }) =>
      JSON.stringify([subject, body_text, body_html]).toLowerCase().includes(words.toLowerCase()),
    )
    .map(({ template }) => template)

describe('mail to an address that nobody has proved holds nothing that a stranger chose', () => {
  it('whatever happens to the account', async () => {
    await t.call('POST /login', {
      key: null,
      ip: '203.0.113.77',
      headers: { 'user-agent': `${words}/126.0` },
      body: { username: victim, password: oldPassword },
    })
    await remind(t, victim)
    const named = { current_password: oldPassword, name: words }
    const { id, secret } = (await t.call('POST /me/factors/totp', { key, body: named })).body.data
    await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
    await t.call(`DELETE /me/factors/${id}`, { key, body: named })
    const role_id = await t.createRole('Keys', ['api-keys.manage'])
    await t.call(`PATCH /users/${(await t.call('GET /me', { key })).body.data.id}`, { body: { role_id } })
    const apiKey = (await t.call('POST /api-keys', { key, body: { name: words } })).body.data
    await t.call(`POST /api-keys/${apiKey.id}/rotate`, { key })
    await changeOwn(password)
    const email = `${words.toLowerCase()}@example.com`
    await changeOwn({ email }, newPassword)
    await verifyEmail(t, tokenIn(await messageTo(t, email, 'confirm-email')), newPassword)
    const templates = (await messagesTo(t, victim)).map(({ template }) => template)
    for (const template of ['new-sign-in', 'reset-password', 'two-factor-on', 'two-factor-off', 'password-changed'])
      expect(templates).toContain(template)
    expect(templates.filter((template) => template === 'api-key-created')).toHaveLength(2)
    expect(templates).toContain('email-changed')
    expect(await wordsIn()).toEqual([])
  })

  it.each([
    'a reset with a mailed link',
    'a confirmed change of address',
    'an administrator who activates the account',
  ])('until it is proved, by %s', async (proof) => {
    let email = victim
    if (proof.startsWith('a reset')) {
      await reset(t, await requestResetToken(t, victim), victim, newPassword)
    } else if (proof.startsWith('a confirmed')) {
      email = 'mine@example.com'
      await changeOwn({ email })
      await verifyEmail(t, tokenIn(await messageTo(t, email, 'confirm-email')))
    } else {
      const { id } = (await t.call('GET /me', { key })).body.data
      for (const status of ['Unconfirmed', 'Active']) await t.call(`PATCH /users/${id}`, { body: { status } })
    }
    t.clock.advance({ minutes: 2 })
    await remind(t, email)
    expect(await wordsIn(email)).toContain('reset-password')
  })

  it('and the account, which waits for nothing, is not deleted', async () => {
    t.clock.advance({ hours: 24 * 40 })
    await removeUnconfirmed(t.ctx)
    expect((await signIn(t, victim)).status).toBe(200)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createAccount,
  dumpDatabase,
  newPassword,
  oldPassword,
  registerUnconfirmed,
  remind,
  requestResetToken,
  reset,
  rowOf,
  signIn,
} from '../../testing/accounts.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { startSmtpPeer } from '../../testing/smtp-peer.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const invalid = {
  status: 400,
  body: { message: 'This password reset token is invalid.', code: 'password_reset_token_invalid' },
}

describe('a password reset token', () => {
  it('is hashed in the database: once its mail is sent, it stands nowhere', async () => {
    const peer = await startSmtpPeer()
    const mailing = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
    const { user } = await createAccount(mailing)
    await remind(mailing, user.email)
    const waiting = await dumpDatabase(mailing)
    await mailing.ctx.outbox.deliverDue()
    const token = /#token=([\w-]{43})&/.exec(peer.mails[0]?.parsed.text ?? '')?.[1] ?? ''
    expect(token).toHaveLength(43)
    expect(waiting).toContain(token) // the mail that waits holds it: such a dump would find it
    expect(await dumpDatabase(mailing)).not.toContain(token)
    expect((await reset(mailing, token, user.email)).status).toBe(200)
  })

  it('lives 60 minutes, looked at when it is used: good at 59:59, over at 60:00', async () => {
    const [early, late] = [await createAccount(t), await createAccount(t)]
    const tokens = [await requestResetToken(t, early.user.email)]
    t.clock.advance({ minutes: 59, seconds: 59 })
    expect((await reset(t, tokens[0], early.user.email)).status).toBe(200)
    tokens[1] = await requestResetToken(t, late.user.email)
    t.clock.advance({ minutes: 60 })
    expect(await reset(t, tokens[1], late.user.email)).toMatchObject(invalid)
    expect((await signIn(t, late.user.email)).status).toBe(200)
  })

  it('works once: of 50 parallel uses one succeeds, and one password counts', async () => {
    const { user } = await createAccount(t)
    const token = await requestResetToken(t, user.email)
    const uses = Array.from({ length: 50 }, (_, index) => `password of attempt ${index}`)
    const answers = await Promise.all(uses.map((password) => reset(t, token, user.email, password)))
    const winners = uses.filter((_, index) => answers[index]?.status === 200)
    expect(winners).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(49)
    expect((await signIn(t, user.email, winners[0])).status).toBe(200)
    const told = (await messagesTo(t, user.email)).filter(({ template }) => template === 'password-changed')
    expect(told).toHaveLength(1)
    expect(await reset(t, token, user.email)).toMatchObject(invalid)
  })

  it('is void after a newer one', async () => {
    const { user } = await createAccount(t)
    const older = await requestResetToken(t, user.email)
    const newer = await requestResetToken(t, user.email)
    expect(newer).not.toBe(older)
    expect(await reset(t, older, user.email)).toMatchObject(invalid)
    expect((await reset(t, newer, user.email)).status).toBe(200)
  })

  const voiding: Record<string, (user: { id: number; email: string }, key: string) => Promise<unknown>> = {
    'the e-mail was changed by an administrator, even if it is changed back': async ({ id, email }) => {
      await t.call(`PATCH /users/${id}`, { body: { email: `other${id}@example.com` } })
      return t.call(`PATCH /users/${id}`, { body: { email } })
    },
    'the e-mail was changed by its owner': async ({ email }, key) => {
      const body = { email: `mine.${email}`, current_password: oldPassword }
      await t.call('PATCH /me/details/auth', { key, body })
      const token = tokenIn(await messageTo(t, body.email, 'confirm-email'))
      return t.call('POST /email/verify', { key: null, body: { token } })
    },
    'the password was changed by an administrator': ({ id }) =>
      t.call(`PATCH /users/${id}`, { body: { password: oldPassword, password_confirmation: oldPassword } }),
    'the password was changed by its owner': (_, key) => {
      const body = { password: oldPassword, password_confirmation: oldPassword, current_password: oldPassword }
      return t.call('PATCH /me/details/auth', { key, body })
    },
    'the account was banned, even if it is active again': async ({ id }) => {
      await t.call(`PATCH /users/${id}`, { body: { status: 'Banned' } })
      return t.call(`PATCH /users/${id}`, { body: { status: 'Active' } })
    },
    'the account was deleted': ({ id }) => t.call(`DELETE /users/${id}`),
  }
  it.each(Object.entries(voiding))('is void once %s', async (_, change) => {
    const { user, key } = await createAccount(t)
    const token = await requestResetToken(t, user.email)
    expect(await change(user, key)).toMatchObject({ status: 200 })
    expect(await reset(t, token, user.email)).toMatchObject(invalid)
    expect(await reset(t, token, `mine.${user.email}`)).toMatchObject(invalid)
  })

  it('is bound to its address: any spelling of it works, another address does not', async () => {
    const { user } = await createAccount(t, { email: 'Grace.Hopper@Example.com' })
    const other = await createAccount(t)
    const token = await requestResetToken(t, user.email)
    for (const email of [other.user.email, 'nobody@example.com', 'admin@example.com']) {
      expect(await reset(t, token, email)).toMatchObject(invalid)
    }
    expect((await reset(t, token, ' ｇrace.HOPPER@EXAMPLE.com ')).status).toBe(200)
  })

  it('never changes the status: who is Unconfirmed stays so', async () => {
    const { user } = await createAccount(t, { status: 'Unconfirmed' })
    const token = await requestResetToken(t, user.email)
    expect((await reset(t, token, user.email)).status).toBe(200)
    expect((await rowOf(t, user.id)).status).toBe('Unconfirmed')
    expect((await signIn(t, user.email, newPassword)).status).toBe(403)
  })

  it('neither skips nor clears two-factor authentication', async () => {
    const { user } = await createAccount(t)
    await turnOnTwoFactor(t, user.id)
    const fields = async () => {
      const { two_factor_country_code, two_factor_phone, two_factor_options } = await rowOf(t, user.id)
      return { two_factor_country_code, two_factor_phone, two_factor_options }
    }
    const before = await fields()
    expect(before.two_factor_options).toContain('"enabled":true')
    expect((await reset(t, await requestResetToken(t, user.email), user.email)).status).toBe(200)
    expect(await fields()).toEqual(before)
    const { body } = await signIn(t, user.email, newPassword)
    expect(body).toEqual({ two_factor_required: true, challenge: expect.any(String) })
  })

  it.each([[null], [''], [' '], [0], [true], [[]], [{}], [['a']], ['a'.repeat(256)], ['a\0b'], [undefined]])(
    '%j as token is 422',
    async (token) => {
      const { status, body } = await reset(t, token, 'admin@example.com')
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['token'])
    },
  )

  it('is matched whole: cut, extended, in other case, or made for another purpose, it is 400', async () => {
    const { user } = await createAccount(t)
    const token = await requestResetToken(t, user.email)
    const flipped = token.replace(/[a-z]/i, (letter) =>
      letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
    )
    for (const wrong of [token.slice(0, -1), `${token}A`, flipped, `${token}%00`, '%', 'A'.repeat(43)]) {
      expect(await reset(t, wrong, user.email), wrong).toMatchObject(invalid)
    }
    const unconfirmed = await registerUnconfirmed(t)
    expect(await reset(t, unconfirmed.token, unconfirmed.user.email)).toMatchObject(invalid)
    expect((await t.call('POST /email/verify', { key: null, body: { token } })).status).toBe(400)
    expect((await reset(t, token, user.email)).status).toBe(200)
  })

  it('is not used up by a password that is refused', async () => {
    const { user } = await createAccount(t, { username: 'margaret hamilton' })
    const token = await requestResetToken(t, user.email)
    for (const password of ['short', 'password123', user.email, 'Margaret Hamilton', 'x'.repeat(257)]) {
      expect((await reset(t, token, user.email, password)).body.errors, password).toHaveProperty('password')
    }
    expect((await reset(t, token, user.email)).status).toBe(200)
  })
})

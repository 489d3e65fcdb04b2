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
  verifyEmail,
  whileDeleted,
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

/** The number of a user's valid reset links. */
async function liveTokens(userId: number): Promise<number> {
  const rows = await t.ctx.unguarded
    .selectFrom('tokens')
    .select('token_hash')
    .where('user_id', '=', userId)
    .where('purpose', '=', 'password_reset')
    .where('expires_ms', '>', t.clock.now().getTime())
    .execute()
  return rows.length
}

describe('a password reset token', () => {
  it('is invalid where the account is deleted while the new password is hashed', async () => {
    const answers = await whileDeleted(t, async () => {
      const { user } = await createAccount(t)
      const token = await requestResetToken(t, user.email)
      return { id: user.id, send: () => reset(t, token, user.email) }
    })
    for (const { body } of answers) expect([{ success: true }, invalid.body]).toContainEqual(body)
  })

  it('is nowhere in the database in plain text: it is hashed, and encrypted in the queued mail', async () => {
    const peer = await startSmtpPeer()
    const mailing = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
    const { user } = await createAccount(mailing)
    await remind(mailing, user.email)
    const waiting = await dumpDatabase(mailing)
    await mailing.ctx.outbox.deliverDue()
    const token = /#token=([\w-]{43})&/.exec(peer.mails[0]?.parsed.text ?? '')?.[1] ?? ''
    expect(token).toHaveLength(43)
    expect(waiting).toContain(user.email) // a dump contains the queued mail
    expect(waiting).not.toContain(token)
    expect(await dumpDatabase(mailing)).not.toContain(token)
    expect((await reset(mailing, token, user.email)).status).toBe(200)
  })

  it('is valid for 60 minutes until its use: valid at 59:59, expired at 60:00', async () => {
    const [early, late] = [await createAccount(t), await createAccount(t)]
    const tokens = [await requestResetToken(t, early.user.email)]
    t.clock.advance({ minutes: 59, seconds: 59 })
    expect((await reset(t, tokens[0], early.user.email)).status).toBe(200)
    tokens[1] = await requestResetToken(t, late.user.email)
    t.clock.advance({ minutes: 60 })
    expect(await reset(t, tokens[1], late.user.email)).toMatchObject(invalid)
    expect((await signIn(t, late.user.email)).status).toBe(200)
  })

  it('works once: of 50 parallel uses one succeeds and sets its password', async () => {
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

  it('stays valid beside newer ones: a stranger who asks once a minute voids no link of the owner', async () => {
    const { user } = await createAccount(t)
    const owners = await requestResetToken(t, user.email)
    for (let minute = 0; minute < 10; minute++) await requestResetToken(t, user.email)
    expect((await reset(t, owners, user.email)).status).toBe(200)
  })

  it.each([0, 1, 2])('is one of three at most: number %i works, and voids the others', async (which) => {
    const { user } = await createAccount(t)
    const links: string[] = []
    for (let asked = 0; asked < 3; asked++) links.push(await requestResetToken(t, user.email))
    expect(await liveTokens(user.id)).toBe(3)
    expect((await reset(t, links[which], user.email)).status).toBe(200)
    expect(await liveTokens(user.id)).toBe(0)
    for (const link of links) expect(await reset(t, link, user.email)).toMatchObject(invalid)
  })

  it('beyond three replaces the last: it works, and so do the first two', async () => {
    const works = async (which: number) => {
      const { user } = await createAccount(t)
      const links: string[] = []
      for (let asked = 0; asked < 5; asked++) links.push(await requestResetToken(t, user.email))
      expect(await liveTokens(user.id)).toBe(3)
      return (await reset(t, links[which], user.email)).status
    }
    const statuses: number[] = []
    for (let which = 0; which < 5; which++) statuses.push(await works(which))
    expect(statuses).toEqual([200, 200, 400, 400, 200])
  })

  it('takes a place for 60 minutes: after that, the next one replaces none', async () => {
    const { user } = await createAccount(t)
    const first = await requestResetToken(t, user.email)
    t.clock.advance({ minutes: 58 })
    const second = await requestResetToken(t, user.email)
    t.clock.advance({ minutes: 1 })
    expect(await reset(t, first, user.email)).toMatchObject(invalid)
    const others = [await requestResetToken(t, user.email), await requestResetToken(t, user.email)]
    expect(await liveTokens(user.id)).toBe(3)
    expect(await reset(t, others[0], user.email)).toMatchObject({ status: 200 })
    expect(await reset(t, second, user.email)).toMatchObject(invalid)
  })

  const voiding: Record<string, (user: { id: number; email: string }, key: string) => Promise<unknown>> = {
    'the email was changed by an administrator, even if it is changed back': async ({ id, email }) => {
      await t.call(`PATCH /users/${id}`, { body: { email: `other${id}@example.com` } })
      return t.call(`PATCH /users/${id}`, { body: { email } })
    },
    'the email was changed by its owner': async ({ email }, key) => {
      const body = { email: `mine.${email}`, current_password: oldPassword }
      await t.call('PATCH /me/details/auth', { key, body })
      const token = tokenIn(await messageTo(t, body.email, 'confirm-email'))
      return verifyEmail(t, token)
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
  it.each(Object.entries(voiding))('becomes void with all others once %s', async (_, change) => {
    const { user, key } = await createAccount(t)
    const tokens = [await requestResetToken(t, user.email), await requestResetToken(t, user.email)]
    expect(await change(user, key)).toMatchObject({ status: 200 })
    for (const token of tokens) {
      expect(await reset(t, token, user.email)).toMatchObject(invalid)
      expect(await reset(t, token, `mine.${user.email}`)).toMatchObject(invalid)
    }
  })

  it('is bound to its address: any spelling of it works, another address does not', async () => {
    const { user } = await createAccount(t, { email: 'Grace.Hopper@Example.com' })
    const other = await createAccount(t)
    const token = await requestResetToken(t, user.email)
    const strangers = [
      'nobody@example.com',
      'admin@example.com',
      'grace.hopper@exampıe.com',
      'ｇrace.hopper@example.com',
    ]
    for (const email of [other.user.email, ...strangers]) {
      expect(await reset(t, token, email)).toMatchObject(invalid)
    }
    expect((await reset(t, token, ' grace.HOPPER@ＥXAMPLE.com ')).status).toBe(200)
  })

  it('never changes the status: an Unconfirmed user stays Unconfirmed', async () => {
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
    expect(body).toEqual({ two_factor_required: true, challenge: expect.any(String), methods: ['sms'] })
  })

  it.each([[null], [''], [' '], [0], [true], [[]], [{}], [['a']], ['a'.repeat(256)], ['a\0b'], [undefined]])(
    '%j as token is 422',
    async (token) => {
      const { status, body } = await reset(t, token, 'admin@example.com')
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['token'])
    },
  )

  it('is matched exactly: truncated, extended, in other case, or for another purpose, it is 400', async () => {
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
    expect((await verifyEmail(t, token)).status).toBe(400)
    expect((await reset(t, token, user.email)).status).toBe(200)
  })

  it('is not used up by a refused password', async () => {
    const { user } = await createAccount(t, { username: 'margaret hamilton' })
    const token = await requestResetToken(t, user.email)
    for (const password of ['short', 'password123', user.email, 'Margaret Hamilton', 'x'.repeat(257)]) {
      expect((await reset(t, token, user.email, password)).body.errors, password).toHaveProperty('password')
    }
    expect((await reset(t, token, user.email)).status).toBe(200)
  })
})

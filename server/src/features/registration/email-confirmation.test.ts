import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  countMessages,
  createAccount,
  dumpDatabase,
  newcomer,
  newNetwork,
  register,
  registerUnconfirmed,
  rowOf,
  signIn,
  verifyEmail,
} from '../../testing/accounts.ts'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { startSmtpPeer } from '../../testing/smtp-peer.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const verify = (token: unknown) => verifyEmail(t, token)
const preview = (token: unknown) => t.call('POST /email/verify/preview', { key: null, body: { token } })
const resend = (email: unknown) => t.call('POST /email/resend', { key: null, body: { email }, ip: newNetwork() })
const statusOf = async ({ id }: { id: number }) => (await rowOf(t, id)).status

describe('confirming an email address', () => {
  it('makes the account Active, which can then sign in; the audit log says who', async () => {
    const { user, token } = await registerUnconfirmed(t)
    expect((await signIn(t, user.email)).status).toBe(403)
    expect(await verify(token)).toMatchObject({ status: 200, body: { success: true } })
    expect((await signIn(t, user.email)).status).toBe(200)
    const { data } = (await t.call(`GET /users/${user.id}/activity`)).body
    expect(data.map(({ event }: { event: string }) => event)).toContain('user.confirmed')
  })

  it('works once: of 20 parallel clicks one succeeds', async () => {
    const { user, token } = await registerUnconfirmed(t)
    const answers = await Promise.all(Array.from({ length: 20 }, () => verify(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19)
    expect(await statusOf(user)).toBe('Active')
    expect((await verify(token)).body).toMatchObject({ code: 'email_token_invalid' })
  })

  it('works within 24 hours: at 23:59:59, and not at 24:00:00', async () => {
    const [early, late] = [await registerUnconfirmed(t), await registerUnconfirmed(t)]
    t.clock.advance({ hours: 23, minutes: 59, seconds: 59 })
    expect((await verify(early.token)).status).toBe(200)
    t.clock.advance({ seconds: 1 })
    expect((await preview(late.token)).status).toBe(400)
    expect((await verify(late.token)).status).toBe(400)
    expect(await statusOf(late.user)).toBe('Unconfirmed')
  })

  it('the preview shows the address, changes nothing and leaves the token valid (link scanners)', async () => {
    const { user, token } = await registerUnconfirmed(t)
    for (let scans = 0; scans < 5; scans++) {
      expect(await preview(token)).toMatchObject({ status: 200, body: { data: { email: user.email } } })
    }
    expect(await statusOf(user)).toBe('Unconfirmed')
    expect((await verify(token)).status).toBe(200)
    expect((await preview(token)).status).toBe(400)
  })

  // asvs: 3.5.3
  it('needs a POST: a GET of the link, as scanners make, confirms nothing', async () => {
    const { user, token } = await registerUnconfirmed(t)
    expect((await t.call(`GET /email/verify?token=${token}`, { key: null })).status).toBe(405)
    expect((await t.call(`HEAD /email/verify?token=${token}`, { key: null })).status).toBe(405)
    expect(await statusOf(user)).toBe('Unconfirmed')
  })

  it.each([[null], [''], [0], [true], [[]], [{}], ['a'.repeat(256)], [undefined]])(
    '%j as token is 422',
    async (token) => {
      for (const answer of [await verify(token), await preview(token)]) {
        expect(answer.status).toBe(422)
        expect(Object.keys(answer.body.errors)).toEqual(['token'])
      }
    },
  )

  it('does not work for a user who was banned or whose address has changed since', async () => {
    const [banned, moved] = [await registerUnconfirmed(t), await registerUnconfirmed(t)]
    await t.call(`PATCH /users/${banned.user.id}`, { body: { status: 'Banned' } })
    await t.call(`PATCH /users/${moved.user.id}`, { body: { email: 'moved@example.com' } })
    expect((await verify(banned.token)).status).toBe(400)
    expect((await verify(moved.token)).status).toBe(400)
    expect(await statusOf(banned.user)).toBe('Banned')
    expect(await statusOf(moved.user)).toBe('Unconfirmed')
  })

  it('the token is hashed in the database: once its mail is sent, it is nowhere in plain text', async () => {
    const peer = await startSmtpPeer()
    const mailing = await createTestApp(inject('postgresUrl'), { GATEHOUSE_MAIL_URL: peer.url })
    const body = newcomer()
    await register(mailing, body)
    await mailing.ctx.outbox.deliverDue()
    const token = /#token=([\w-]{43})\s/.exec(peer.mails[0]?.parsed.text ?? '')?.[1] ?? ''
    expect(token).toHaveLength(43)
    expect(peer.mails[0]?.to).toEqual([body.email])
    expect(await dumpDatabase(mailing)).not.toContain(token)
    expect((await verifyEmail(mailing, token)).status).toBe(200)
  })
})

describe('an unconfirmed account cannot act', () => {
  it('neither with a password nor with an earlier key or session', async () => {
    const { user, key } = await createAccount(t)
    const session = (await signIn(t, user.email)).body.token
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Unconfirmed' } })
    for (const credential of [key, session]) {
      for (const path of ['GET /me', 'GET /me/sessions', 'GET /countries', 'PATCH /me/details']) {
        expect((await t.call(path, { key: credential, body: {} })).status).toBe(401)
      }
    }
    expect((await signIn(t, user.email)).status).toBe(403)
  })
})

describe('sending the confirmation again', () => {
  it('voids the earlier link', async () => {
    const { user, token } = await registerUnconfirmed(t)
    t.clock.advance({ minutes: 1 })
    expect(await resend(user.email.toUpperCase())).toMatchObject({ status: 202, body: { success: true } })
    const mails = await messagesTo(t, user.email)
    expect(mails).toHaveLength(2)
    expect((await verify(token)).status).toBe(400)
    expect((await verify(tokenIn(await messageTo(t, user.email, 'confirm-email')))).status).toBe(200)
  })

  it('is 202 for any address, and mails only accounts that wait for it', async () => {
    const active = await createAccount(t)
    const banned = await createAccount(t, { status: 'Banned' })
    const before = await countMessages(t)
    const { user } = await registerUnconfirmed(t)
    t.clock.advance({ minutes: 1 })
    const waiting = await resend(user.email)
    for (const email of [active.user.email, banned.user.email, 'nobody@example.com']) {
      const { status, text } = await resend(email)
      expect({ status, text }).toEqual({ status: waiting.status, text: waiting.text })
    }
    expect(await countMessages(t)).toBe(before + 2)
  })

  it('sends at most one a minute, in any spelling and in parallel, and then voids nothing', async () => {
    const { user } = await registerUnconfirmed(t)
    t.clock.advance({ minutes: 1 })
    const spellings = [user.email, user.email.toUpperCase(), ` ${user.email}`]
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => resend(spellings[index % 3])))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(202))
    expect(await messagesTo(t, user.email)).toHaveLength(2)
    t.clock.advance({ seconds: 59 })
    await resend(user.email)
    expect(await messagesTo(t, user.email)).toHaveLength(2)
    const [, second] = await messagesTo(t, user.email)
    t.clock.advance({ seconds: 1 })
    await resend(user.email)
    expect(await messagesTo(t, user.email)).toHaveLength(3)
    expect((await verify(second === undefined ? '' : tokenIn(second))).status).toBe(400)
  })

  it.each([
    [['a@example.com']],
    [{}],
    ['a@example.com,b@example.com'],
    ['a@example.com\r\nBcc: b'],
    [null],
    [1],
    ['a'],
  ])('email is one plain string: %j is 422', async (email) => {
    expect((await resend(email)).status).toBe(422)
  })
})

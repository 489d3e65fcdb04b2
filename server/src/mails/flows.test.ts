import { expect, inject, it } from 'vitest'
import { createTestApp } from '../testing/app.ts'
import { startHttpPeer } from '../testing/http-peer.ts'
import { startSmtpPeer } from '../testing/smtp-peer.ts'

const password = 'a lamp by the window'
const confirmed = { password, password_confirmation: password }

/** An application whose mail goes to a real SMTP server, and whose SMS to a peer with Twilio's interface. */
async function createConnectedApp() {
  const smtp = await startSmtpPeer()
  const twilio = await startHttpPeer()
  const t = await createTestApp(inject('postgresUrl'), {
    GATEHOUSE_MAIL_URL: smtp.url,
    GATEHOUSE_SMS_URL: `twilio://AC0:secret@default?from=%2B15550100&api=${encodeURIComponent(twilio.url)}`,
  })
  /** The fragment of the link in the newest mail, read as the page that it opens reads it. */
  const openMail = async (to: string): Promise<URLSearchParams> => {
    await t.ctx.outbox.deliverDue()
    const mail = smtp.mails.filter((received) => received.to.includes(to)).at(-1)
    const link = /http:\/\/gatehouse\.test\/\S+/.exec(mail?.parsed.text ?? '')?.[0] ?? ''
    return new URLSearchParams(new URL(link).hash.slice(1))
  }
  const readSms = async (): Promise<string> => {
    await t.ctx.outbox.deliverDue()
    const form = new URLSearchParams(twilio.requests.at(-1)?.body)
    expect(form.get('To')).toBe('+33612345678')
    return /\b\d{6}\b/.exec(form.get('Body') ?? '')?.[0] ?? ''
  }
  const call = async (request: string, body: object, key: string | null = null) => {
    const answer = await t.call(request, { body, key })
    expect([request, answer.body.code]).toEqual([request, undefined]) // an error answer has a code
    return answer
  }
  return { t, openMail, readSms, call, smtp }
}

it('an account registers, is confirmed, turns on a second factor, changes its address and resets its password, by what was received alone', async () => {
  const { t, openMail, readSms, call, smtp } = await createConnectedApp()
  await call('POST /register', { username: 'ada', email: 'ada@example.com', ...confirmed })
  const confirmation = (await openMail('ada@example.com')).get('token')
  expect((await call('POST /email/verify', { token: confirmation, password })).body).toEqual({ success: true })
  const { token } = (await call('POST /login', { username: 'ada', password })).body

  const phone = { country_code: 250, phone_number: '612345678', current_password: password }
  expect((await t.call('PUT /me/2fa', { body: phone, key: token })).body.message).toBe('Verification token sent.')
  const { body } = await call('POST /me/2fa/verify', { token: await readSms() }, token)
  expect(body.data.two_factor_options).toMatchObject({ enabled: true, channel: 'sms' })

  await call('PATCH /me/details/auth', { email: 'countess@example.com', current_password: password }, token)
  await call('POST /email/verify', { token: (await openMail('countess@example.com')).get('token'), password })

  await call('POST /password/remind', { email: 'countess@example.com' })
  const reset = Object.fromEntries(await openMail('countess@example.com'))
  const next = 'an entirely new password'
  await call('POST /password/reset', { ...reset, password: next, password_confirmation: next })
  expect((await t.call('GET /me', { key: token })).status).toBe(401)

  const { challenge } = (await call('POST /login', { username: 'countess@example.com', password: next })).body
  const signedIn = await call('POST /login/2fa', { challenge, token: await readSms() })
  const me = await t.call('GET /me', { key: signedIn.body.token })
  expect(me.body.data).toMatchObject({ username: 'ada', email: 'countess@example.com', status: 'Active' })

  await t.ctx.outbox.deliverDue()
  const subjects = smtp.mails.map(({ parsed, to }) => `${to[0]}: ${parsed.subject}`)
  expect(new Set(subjects).size).toBeGreaterThanOrEqual(6)
  expect(subjects.filter((subject) => subject.startsWith('ada@example.com'))).not.toHaveLength(0)
  const kept = await t.ctx.unguarded.selectFrom('deliveries').select(['status', 'secret', 'body_text']).execute()
  expect(kept.every(({ status }) => status === 'sent')).toBe(true)
  expect(kept.filter(({ secret, body_text }) => secret === 1 && body_text !== null)).toEqual([])
})

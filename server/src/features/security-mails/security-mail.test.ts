import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createTestApp, startTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { createOwner, login, signIn } from '../sessions/sessions-test-steps.ts'

/* People hear by mail of what weakens their account. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.advance({ minutes: 11 }))

const preview = (token: unknown) => t.call('POST /secure-account/preview', { key: null, body: { token } })
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const newer = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'

describe('a mail about security', () => {
  it('tells of a sign-in with a network and browser that the account never had together, but not of the very first', async () => {
    const { email } = await createOwner(t)
    const from = (ip: string, agent: string) => login(t, email, {}, { ip, headers: { 'user-agent': agent } })
    const told = async () => (await messagesTo(t, email)).filter(({ template }) => template === 'new-sign-in').length
    await from('203.0.113.1', firefox)
    await from('203.0.113.1', newer)
    expect(await told()).toBe(0)
    await from('203.0.113.2', firefox)
    expect(await told()).toBe(1)
    await from('203.0.113.1', 'curl/8.14.1')
    expect(await told()).toBe(2)
    await from('203.0.113.2', firefox)
    expect(await told()).toBe(2)
    const { body_text } = await messageTo(t, email, 'new-sign-in')
    expect(body_text).toContain('curl')
    expect(body_text).toContain('203.0.113.1')
    expect(body_text).toMatch(/http:\/\/gatehouse\.test\/secure-account#token=[\w-]{43}/)
  })

  it('tells of a sign-in by a stranger after a year in which nobody signed in', async () => {
    const app = await createTestApp(inject('postgresUrl'))
    const { email } = await createOwner(app)
    await login(app, email, {}, { ip: '203.0.113.1', headers: { 'user-agent': firefox } })
    app.clock.advance({ days: 365 })
    for (const { name, drain } of app.ctx.jobs.runners)
      if (['maintenance.clients', 'maintenance.networks'].includes(name)) await drain()
    await login(app, email, {}, { ip: '203.0.113.2', headers: { 'user-agent': 'curl/8.14.1' } })
    expect((await messageTo(app, email, 'new-sign-in')).body_text).toContain('203.0.113.2')
  })

  it('tells of a new API key, a mightier role, factors and a changed address, each with the link', async () => {
    const user = await createOwner(t, { role_id: await t.createRole('Key makers', ['api-keys.manage']) })
    const key = await signIn(t, user)
    await t.call('POST /api-keys', { key, body: { name: 'Backups' } })
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: await t.createRole('Watchers', ['users.activity']) } })
    await t.call(`PATCH /users/${user.id}`, { body: { role_id: 2 } }) // less is no news
    await turnOnTwoFactor(t, user.id)
    await t.call(`DELETE /users/${user.id}/2fa`)
    await t.call(`PATCH /users/${user.id}`, { body: { email: `moved.${user.email}` } })
    const mails = (await messagesTo(t, user.email)).filter(({ kind }) => kind === 'mail')
    expect(mails.map(({ template }) => template)).toEqual([
      'api-key-created',
      'mightier-role',
      'two-factor-on',
      'two-factor-off',
      'email-changed',
    ])
    for (const mail of mails) {
      expect((await preview(tokenIn(mail))).status).toBe(200)
      expect(mail.secret).toBe(1)
    }
    expect(mails[0]?.body_text).toContain('Backups')
    expect(mails[1]?.body_text).toContain('Watchers')
  })
})

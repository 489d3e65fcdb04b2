import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newPassword, rowOf, signIn, whileDeleted } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { readAudit, refusal } from '../users/users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let made = 0
const guest = () => `guest${++made}@guests${made}.example.com`
const invite = (fields: object, key?: string) =>
  t.call('POST /users/invite', { body: { role_id: 2, ...fields }, ...(key === undefined ? {} : { key }) })
const accept = (token: string, more: object = {}) =>
  t.call('POST /invitations/accept', {
    key: null,
    body: { token, password: newPassword, password_confirmation: newPassword, ...more },
  })
const preview = (token: string) => t.call('POST /invitations/preview', { key: null, body: { token } })
async function invited() {
  const email = guest()
  const { body } = await invite({ email })
  return { email, id: body.data.id as number, token: tokenIn(await messageTo(t, email, 'invitation')) }
}

describe('POST /users/invite', () => {
  it('makes an Unconfirmed account without a password, and mails a link to the page', async () => {
    const email = guest()
    const { status, body } = await invite({ email, first_name: 'Ada' })
    expect([status, body.data.status, body.data.first_name]).toEqual([201, 'Unconfirmed', 'Ada'])
    const mail = await messageTo(t, email, 'invitation')
    expect(mail.body_text).toContain('http://gatehouse.test/accept-invitation#token=')
    expect(mail.body_text).not.toContain('Ada')
    expect((await readAudit(t, body.data.id)).map(({ event }) => event)).toEqual(['user.created', 'user.invited'])
  })

  it('follows the rules of POST /users', async () => {
    const { email } = await invited()
    expect(refusal(await invite({ email: email.toUpperCase() }))).toMatchObject({ status: 422, fields: ['email'] })
    expect(refusal(await invite({}))).toMatchObject({ status: 422, fields: ['email'] })
    const role = await t.createRole('Inviters', ['users.manage'])
    const { key } = await t.createUser({ role_id: role })
    expect((await invite({ email: guest(), role_id: 1 }, key)).status).toBe(403)
    expect((await invite({ email: guest() }, (await t.createUser()).key)).status).toBe(403)
  })

  it('leaves no account that could sign in', async () => {
    const { email } = await invited()
    expect((await signIn(t, email, '')).status).toBe(422)
    expect((await signIn(t, email, 'anything')).status).toBe(422)
  })
})

describe('POST /invitations/accept', () => {
  it('sets password and username and makes the account Active, once', async () => {
    const { email, id, token } = await invited()
    expect((await preview(token)).body.data).toMatchObject({ email, username: null })
    const username = `guest-name${id}`
    expect((await accept(token, { username })).body).toEqual({ success: true })
    expect(await rowOf(t, id)).toMatchObject({ status: 'Active', username })
    expect((await signIn(t, username, newPassword)).status).toBe(200)
    expect((await accept(token)).body.code).toBe('invitation_invalid')
    expect((await readAudit(t, id)).map(({ event }) => event)).toContain('user.confirmed')
  })

  it('is 400 where the account is deleted while the password is hashed', async () => {
    const answers = await whileDeleted(t, async () => {
      const { id, token } = await invited()
      return { id, send: () => accept(token) }
    })
    for (const { body } of answers) expect([undefined, 'invitation_invalid']).toContain(body.code)
  })

  it('names every failing field, and keeps the link', async () => {
    const { token } = await invited()
    const { username } = (await t.createUser({ username: 'taken-by-another' })).user
    const answer = await accept(token, { username, password: 'short' })
    expect(refusal(answer)).toEqual({
      status: 422,
      code: 'validation_failed',
      fields: ['password', 'password_confirmation', 'username'],
    })
    expect((await accept(token)).status).toBe(200)
  })

  it('is 400 for a link that is unknown, older than 72 hours, or of an account that has changed meanwhile', async () => {
    expect((await accept('nonsense')).status).toBe(400)
    expect((await preview('nonsense')).status).toBe(400)
    const { id, token } = await invited()
    await t.call(`PATCH /users/${id}`, { body: { email: guest() } })
    expect((await accept(token)).status).toBe(400)
    const late = await invited()
    t.clock.advance({ hours: 72, seconds: 1 })
    expect((await accept(late.token)).status).toBe(400)
    const banned = await invited()
    await t.call(`PATCH /users/${banned.id}`, { body: { status: 'Banned' } })
    expect((await accept(banned.token)).status).toBe(400)
  })

  it('works for one of five requests at once', async () => {
    const { token } = await invited()
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400])
  })
})

describe('the buttons of an administrator', () => {
  it('send another invitation, which voids the earlier link; within a minute 429', async () => {
    const { email, id, token } = await invited()
    expect((await t.call(`POST /users/${id}/invite`)).status).toBe(429)
    t.clock.advance({ minutes: 1 })
    expect((await t.call(`POST /users/${id}/invite`)).body).toEqual({ success: true })
    expect((await accept(token)).status).toBe(400)
    expect((await accept(tokenIn(await messageTo(t, email, 'invitation')))).status).toBe(200)
    t.clock.advance({ minutes: 1 })
    expect((await t.call(`POST /users/${id}/invite`)).body.code).toBe('user_not_waiting')
  })

  it('are refused until the limit really ends, and name it: one a minute, five an hour', async () => {
    const { id } = await invited()
    const again = async () => {
      const { status, headers } = await t.call(`POST /users/${id}/invite`)
      return [status, headers['retry-after'], headers['x-ratelimit-limit']]
    }
    t.clock.advance({ seconds: 50 })
    expect(await again()).toEqual([429, '10', '1'])
    for (let mails = 1; mails < 5; mails++) {
      t.clock.advance({ minutes: 1 })
      expect((await again())[0]).toBe(200)
    }
    expect(await again()).toEqual([429, String(3_600 - 290), '5'])
    t.clock.advance({ minutes: 1 })
    expect(await again()).toEqual([429, String(3_600 - 350), '5'])
    t.clock.advance({ seconds: 3_600 - 350 })
    expect((await again())[0]).toBe(200)
  })

  it('send a reset mail and a confirmation mail', async () => {
    const { user } = await createAccount(t, { email: guest() })
    expect((await t.call(`POST /users/${user.id}/password-reset`)).status).toBe(200)
    expect(tokenIn(await messageTo(t, user.email, 'reset-password'))).toMatch(/^[\w-]{43}$/)
    expect((await t.call(`POST /users/${user.id}/password-reset`)).status).toBe(429)
    const waiting = await createAccount(t, { email: guest(), status: 'Unconfirmed' })
    expect((await t.call(`POST /users/${waiting.user.id}/email-confirmation`)).status).toBe(200)
    expect(tokenIn(await messageTo(t, waiting.user.email, 'confirm-email'))).toBeTruthy()
    t.clock.advance({ minutes: 2 })
    expect((await t.call(`POST /users/${user.id}/email-confirmation`)).body.code).toBe('user_not_waiting')
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    expect((await t.call(`POST /users/${user.id}/password-reset`)).body.code).toBe('user_is_banned')
  })

  it.each(['invite', 'password-reset', 'email-confirmation'])(
    '%s is 404 for nobody, 403 for a user above',
    async (what) => {
      expect((await t.call(`POST /users/999999/${what}`)).status).toBe(404)
      const role = await t.createRole(`Helpers ${what}`, ['users.manage'])
      const { key } = await t.createUser({ role_id: role })
      expect((await t.call(`POST /users/1/${what}`, { key })).body.code).toBe('user_above_you')
    },
  )
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  countMessages,
  createAccount,
  newPassword,
  oldPassword,
  rowOf,
  signIn,
  verifyEmail,
} from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const change = (key: string, body: Record<string, unknown>) =>
  t.call('PATCH /me/details/auth', { key, body: { current_password: oldPassword, ...body } })
const verify = (token: string, password?: string) => verifyEmail(t, token, password)
const requestChange = async (key: string, email: string): Promise<string> => {
  const { status, text } = await change(key, { email })
  if (status !== 200) throw new Error(text)
  return tokenIn(await messageTo(t, email, 'confirm-email'))
}

// asvs: 6.2.2
describe('changing one’s own password', () => {
  it('ends the other sessions, keeps the current one, and notifies the user by mail', async () => {
    const { user } = await createAccount(t)
    const [mine, other] = [(await signIn(t, user.email)).body.token, (await signIn(t, user.email)).body.token]
    const body = { password: newPassword, password_confirmation: newPassword }
    expect((await change(mine, body)).status).toBe(200)
    expect((await t.call('GET /me', { key: mine })).status).toBe(200)
    expect((await t.call('GET /me', { key: other })).status).toBe(401)
    expect((await messageTo(t, user.email, 'password-changed')).body_text).not.toContain(newPassword)
    expect((await signIn(t, user.email)).status).toBe(422)
    expect((await signIn(t, user.email, newPassword)).status).toBe(200)
    const { data } = (await t.call(`GET /users/${user.id}/activity`)).body
    expect(data.map(({ event }: { event: string }) => event)).toContain('user.password_changed')
  })

  it('with an API key ends every session', async () => {
    const { user, key } = await createAccount(t)
    const session = (await signIn(t, user.email)).body.token
    await change(key, { password: newPassword, password_confirmation: newPassword })
    expect((await t.call('GET /me', { key: session })).status).toBe(401)
    expect((await t.call('GET /me', { key })).status).toBe(200)
  })

  it('with another confirmation is 422', async () => {
    const { key } = await createAccount(t)
    const { body } = await change(key, { password: newPassword, password_confirmation: 'something else' })
    expect(Object.keys(body.errors).sort()).toEqual(['password', 'password_confirmation'])
  })
})

describe('changing one’s own username', () => {
  it('takes effect at once; a taken one, in any spelling, is 422', async () => {
    const [ada, eve] = [await createAccount(t, { username: 'Ada' }), await createAccount(t)]
    expect((await change(eve.key, { username: 'ＡＤＡ' })).body.errors).toHaveProperty('username')
    expect((await change(ada.key, { username: 'ADA' })).body.data.username).toBe('ADA')
    expect((await change(eve.key, { username: 'eve' })).status).toBe(200)
    expect((await signIn(t, 'Eve')).status).toBe(200)
  })
})

describe('changing one’s own email', () => {
  it('is pending until the new address is confirmed; then the old address is notified', async () => {
    const { user, key } = await createAccount(t)
    const email = `new.${user.email}`
    const answer = await change(key, { email })
    expect(answer.body.data.email).toBe(user.email)
    expect((await messagesTo(t, user.email)).length).toBe(0)
    expect((await signIn(t, user.email)).status).toBe(200)
    expect((await signIn(t, email)).status).toBe(422)
    const token = tokenIn(await messageTo(t, email, 'confirm-email'))
    const preview = await t.call('POST /email/verify/preview', { key: null, body: { token } })
    expect(preview.body).toEqual({ data: { email } })
    expect((await verify(token)).status).toBe(200)
    expect(await rowOf(t, user.id)).toMatchObject({ email, status: 'Active' })
    expect((await messageTo(t, user.email, 'email-changed')).body_text).toContain(email)
    expect((await signIn(t, email)).status).toBe(200)
    expect((await signIn(t, user.email)).status).toBe(422)
    expect((await verify(token)).status).toBe(400)
  })

  it('to a taken address is 422; to one that is taken before the confirmation, the confirmation is 422', async () => {
    const [mine, other] = [await createAccount(t), await createAccount(t)]
    expect((await change(mine.key, { email: other.user.email.toUpperCase() })).body.errors).toHaveProperty('email')
    const token = await requestChange(mine.key, 'wanted@example.com')
    await createAccount(t, { email: 'Wanted@Example.com' })
    const { status, body } = await verify(token)
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'user_email_taken' })
    expect((await rowOf(t, mine.user.id)).email).toBe(mine.user.email)
  })

  it('to the same mailbox in another spelling takes effect at once', async () => {
    const { user, key } = await createAccount(t)
    const email = user.email.replace('user', 'USER')
    expect((await change(key, { email })).body.data.email).toBe(email)
    expect((await rowOf(t, user.id)).email_canonical).toBe(user.email_canonical)
  })

  it.each([
    ['ceo@gıthub.test', 'ceo@github.test'],
    ['ceo@straße.test', 'ceo@strasse.test'],
    ['mıke@dotless.test', 'mike@dotless.test'],
    ['ida@bücher.test', 'ida@xn--bcher-kva.test'],
    ['ida@ZÜRICH.test', 'ida@zürich.test'],
    ['jose\u0301@accent.test', 'josé@accent.test'],
  ])('from %s to %s needs proof, for they differ in more than the case of ASCII letters', async (before, after) => {
    const { user, key } = await createAccount(t, { email: before })
    const token = await requestChange(key, after)
    expect(await rowOf(t, user.id)).toMatchObject({ email: before, email_canonical: user.email_canonical })
    await t.call('POST /email/verify', { key: null, body: { token, password: oldPassword } })
    expect((await rowOf(t, user.id)).email).toBe(after)
  })

  it('to the present address is no change and sends nothing', async () => {
    const { user, key } = await createAccount(t)
    const before = await countMessages(t)
    expect((await change(key, { email: user.email })).status).toBe(200)
    expect(await countMessages(t)).toBe(before)
  })

  it('a newer request, a ban, a new password or an administrator’s change voids the earlier link', async () => {
    const password = { password: newPassword, password_confirmation: newPassword }
    const voiding: ((id: number, key: string) => Promise<unknown>)[] = [
      (id, key) => change(key, { email: `newer${id}@example.com` }),
      (_, key) => change(key, password),
      (id) => t.call(`PATCH /users/${id}`, { body: password }),
      (id) => t.call(`PATCH /users/${id}`, { body: { email: `theirs${id}@example.com` } }),
      (id) => t.call(`PATCH /users/${id}`, { body: { status: 'Banned' } }),
    ]
    for (const [index, act] of voiding.entries()) {
      const { user, key } = await createAccount(t)
      const token = await requestChange(key, `older${user.id}@example.com`)
      expect(await act(user.id, key)).toMatchObject({ status: 200 })
      expect((await verify(token)).status, String(index)).toBe(400)
    }
  })

  it('an administrator’s change takes effect at once, and the old address is notified', async () => {
    const { user } = await createAccount(t)
    const password = { password: newPassword, password_confirmation: newPassword }
    const { body } = await t.call(`PATCH /users/${user.id}`, { body: { email: 'given@example.com', ...password } })
    expect(body.data.email).toBe('given@example.com')
    const told = await messagesTo(t, user.email)
    expect(told.map(({ template }) => template)).toEqual(['password-changed', 'email-changed'])
    expect(await messagesTo(t, 'given@example.com')).toEqual([])
  })

  it('together with a password: the password changes at once, the address when it is confirmed', async () => {
    const { user, key } = await createAccount(t)
    const email = `both.${user.email}`
    const body = { email, password: newPassword, password_confirmation: newPassword }
    expect((await change(key, body)).body.data.email).toBe(user.email)
    expect((await signIn(t, user.email, newPassword)).status).toBe(200)
    expect((await verify(tokenIn(await messageTo(t, email, 'confirm-email')), newPassword)).status).toBe(200)
    expect((await signIn(t, email, newPassword)).status).toBe(200)
  })

  it.each([
    [['a@example.com']],
    [{}],
    ['a@example.com,b@example.com'],
    ['a@example.com\r\nBcc: b@example.com'],
    [null],
    [1],
  ])('email is one plain string: %j is 422 and sends nothing', async (email) => {
    const { key } = await createAccount(t)
    const before = await countMessages(t)
    const { status, body } = await change(key, { email })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['email'])
    expect(await countMessages(t)).toBe(before)
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newPassword, oldPassword, rowOf, signIn, verifyEmail } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messagesTo, messageTo, tokenIn } from '../../testing/messages.ts'
import { newPhone } from '../../testing/two-factor.ts'

/* Whoever manages users reaches their own account by two paths: neither leads around what the other asks. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const password = { password: newPassword, password_confirmation: newPassword }
const proof = { current_password: oldPassword }

/** An administrator's account, and their credential. */
async function administrator(credential: 'session' | 'API key') {
  const { user, key } = await createAccount(t, { role_id: 1, username: `admin${Math.random()}`.replace('.', '') })
  const token = credential === 'session' ? ((await signIn(t, user.email)).body.token as string) : key
  const path = `/users/${user.id}`
  return { user, path, call: (request: string, body?: unknown) => t.call(request, { key: token, body }) }
}
const fieldsOf = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})

describe.each(['session', 'API key'] as const)('one’s own account through /users/{id}, with a %s', (credential) => {
  it.each([
    ['password', password],
    ['email address', { email: `elsewhere.${credential.slice(0, 3)}@example.com` }],
    ['username', { username: `another name by ${credential}` }],
  ])('needs the current password for a new %s', async (_, change) => {
    const { user, path, call } = await administrator(credential)
    const before = await rowOf(t, user.id)
    for (const method of ['PATCH', 'PUT']) {
      const missing = await call(`${method} ${path}`, change)
      expect([missing.status, fieldsOf(missing)]).toEqual([422, ['current_password']])
      const wrong = await call(`${method} ${path}`, { ...change, current_password: 'not it' })
      expect([wrong.status, wrong.body.code]).toEqual([422, 'current_password_wrong'])
      const noText = await call(`${method} ${path}`, { ...change, current_password: 1 })
      expect([noText.status, fieldsOf(noText)]).toEqual([422, ['current_password']])
    }
    expect(await rowOf(t, user.id)).toEqual(before)
    expect((await call(`PATCH ${path}`, { ...change, ...proof })).status).toBe(200)
  })

  it('says that the current password is missing beside what else is wrong', async () => {
    const { path, call } = await administrator(credential)
    const short = { password: 'short', password_confirmation: 'short' }
    for (const change of [{ email: 'no address' }, { username: 7 }, short]) {
      const [field] = Object.keys(change)
      const answer = await call(`PATCH ${path}`, change)
      expect([answer.status, fieldsOf(answer).toSorted()]).toEqual([422, ['current_password', field].toSorted()])
    }
  })

  it('keeps the old address until the new one is confirmed', async () => {
    const { user, path, call } = await administrator(credential)
    const email = `new.${user.email}`
    const answer = await call(`PATCH ${path}`, { email, first_name: 'Ada', ...proof })
    expect(answer.body.data).toMatchObject({ email: user.email, first_name: 'Ada' })
    expect((await rowOf(t, user.id)).email).toBe(user.email)
    const token = tokenIn(await messageTo(t, email, 'confirm-email'))
    expect((await verifyEmail(t, token)).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(email)
  })

  it('needs no password for the rest of the profile, nor for values that stay as they are', async () => {
    const { user, path, call } = await administrator(credential)
    const { email, username } = user
    const { status, body } = await call(`PATCH ${path}`, { email, username, role_id: 1, first_name: 'Grace' })
    expect([status, body.data.first_name]).toEqual([200, 'Grace'])
    expect(await messagesTo(t, email)).toEqual([])
  })

  it('needs the current password to turn two-factor authentication on and off', async () => {
    const { user, path, call } = await administrator(credential)
    const phone = newPhone()
    const tries: [string, object][] = [
      [`PUT ${path}/2fa`, phone.body],
      [`DELETE ${path}/2fa`, {}],
    ]
    for (const [request, body] of tries) {
      expect(fieldsOf(await call(request, body)), request).toEqual(['current_password'])
      expect((await call(request, { ...body, current_password: 'not it' })).body.code).toBe('current_password_wrong')
      if (request.startsWith('DELETE')) continue
      expect(await messagesTo(t, phone.e164)).toEqual([])
      expect((await call(request, { ...body, ...proof })).status).toBe(200)
      const token = codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
      expect((await call(`POST ${path}/2fa/verify`, { token })).status).toBe(200)
    }
    expect((await rowOf(t, user.id)).two_factor_options).toContain('"enabled":true')
    expect((await call(`DELETE ${path}/2fa`, proof)).status).toBe(200)
    expect((await rowOf(t, user.id)).two_factor_options).toBe(null)
  })

  it('bounds wrong passwords together with /me', async () => {
    const { path, call } = await administrator(credential)
    const wrong = { ...password, current_password: 'not it' }
    const statuses: number[] = []
    for (const request of [`PATCH ${path}`, 'PATCH /me/details/auth', `DELETE ${path}/2fa`, `PATCH ${path}`]) {
      statuses.push((await call(request, wrong)).status)
    }
    for (let time = 0; time < 2; time++) statuses.push((await call(`PATCH ${path}`, wrong)).status)
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429])
  })

  it('still bans nobody and grants nothing that one may not', async () => {
    const { path, call } = await administrator(credential)
    expect((await call(`PATCH ${path}`, { status: 'Banned' })).body.code).toBe('user_is_yourself')
    expect((await call(`DELETE ${path}`)).body.code).toBe('user_is_yourself')
  })
})

it('another’s account takes no current password of anybody', async () => {
  const { call } = await administrator('session')
  const { user } = await createAccount(t)
  const answer = await call(`PATCH /users/${user.id}`, { ...password, email: `given.${user.email}` })
  expect([answer.status, answer.body.data.email]).toEqual([200, `given.${user.email}`])
})

import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import type { Actor, Tx } from '../../core/context.ts'
import { createAccount, newPassword, oldPassword, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { addTotp } from '../../testing/totp.ts'
import { newPhone, turnOnTwoFactor } from '../../testing/two-factor.ts'
import { hashPassword } from '../passwords/passwords.service.ts'

/* A current password counts if it is still the current one in the transaction that it allows. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())

const proof = { current_password: oldPassword }
const password = { password: 'a third one for the door', password_confirmation: 'a third one for the door' }

/** Runs `change` once, when the password of the user's request was verified, before its next transaction begins. */
function beforeNextTransaction(userId: number, change: () => Promise<unknown>): void {
  const { transaction } = t.ctx
  let isDone = false
  const spy = vi.spyOn(t.ctx, 'transaction')
  spy.mockImplementation(async <T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> => {
    if (actor.userId === userId && !isDone) {
      isDone = true
      await change()
    }
    return transaction(actor, work)
  })
}

const setPassword = (id: number, password_hash: string) =>
  t.ctx.unguarded.updateTable('users').set({ password_hash }).where('id', '=', id).execute()

const everythingOf = async (id: number) => {
  const ofUser = (table: 'factors' | 'tokens' | 'recovery_codes') =>
    t.ctx.unguarded.selectFrom(table).selectAll().where('user_id', '=', id).execute()
  const { two_factor_options, email, username } = await rowOf(t, id)
  const rows = [await ofUser('factors'), await ofUser('tokens'), await ofUser('recovery_codes')]
  return { two_factor_options, email, username, rows }
}

type Request = (user: { id: number; email: string; factor: number }) => [request: string, body?: object]

/** Everything that a current password allows. */
const requests: Record<string, Request> = {
  'a new password': () => ['PATCH /me/details/auth', password],
  'a new username': ({ id }) => ['PATCH /me/details/auth', { username: `renamed${id}` }],
  'a new address': ({ email }) => ['PATCH /me/details/auth', { email: `new.${email}` }],
  'a new password through /users/{id}': ({ id }) => [`PATCH /users/${id}`, password],
  'an authenticator app': () => ['POST /me/factors/totp'],
  'a passkey': () => ['POST /me/factors/passkeys/options'],
  'the end of a factor': ({ factor }) => [`DELETE /me/factors/${factor}`],
  'new recovery codes': () => ['POST /me/recovery-codes'],
  'the end of codes by SMS': () => ['DELETE /me/2fa'],
  'the end of codes by SMS through /users/{id}': ({ id }) => [`DELETE /users/${id}/2fa`],
}

describe.each(Object.entries(requests))('a request for %s', (_, request) => {
  it('is refused if the password was changed after it was verified', async () => {
    const { user, key } = await createAccount(t, { role_id: 1 })
    await turnOnTwoFactor(t, user.id)
    const [path, body] = request({ ...user, factor: await addTotp(t, user.id) })
    const before = await everythingOf(user.id)
    const changed = await hashPassword(newPassword)
    beforeNextTransaction(user.id, () => setPassword(user.id, changed))
    const answer = await t.call(path, { key, body: { ...body, ...proof } })
    expect([answer.status, answer.body.code]).toEqual([422, 'current_password_wrong'])
    expect(Object.keys(answer.body.errors)).toEqual(['current_password'])
    expect(await everythingOf(user.id)).toEqual(before)
    expect((await rowOf(t, user.id)).password_hash).toBe(changed)
  })
})

describe.each(['/me/2fa', '/users/{id}/2fa'])('a number for codes by SMS through %s', (path) => {
  it('is refused if the password was changed after it was verified', async () => {
    const { user, key } = await createAccount(t, { role_id: 1 })
    const changed = await hashPassword(newPassword)
    beforeNextTransaction(user.id, () => setPassword(user.id, changed))
    const body = { ...newPhone().body, ...proof }
    const answer = await t.call(`PUT ${path.replace('{id}', String(user.id))}`, { key, body })
    expect([answer.status, answer.body.code]).toEqual([422, 'current_password_wrong'])
    expect((await everythingOf(user.id)).rows).toEqual([[], [], []])
  })
})

it('a session gets no fresh proof from a password that was changed after it was verified', async () => {
  const { user } = await createAccount(t)
  const key = (await signIn(t, user.email)).body.token
  const changed = await hashPassword(newPassword)
  t.clock.advance({ minutes: 1 })
  const sessions = () => t.ctx.unguarded.selectFrom('sessions').selectAll().where('user_id', '=', user.id).execute()
  const [before] = await sessions()
  beforeNextTransaction(user.id, () => setPassword(user.id, changed))
  const answer = await t.call('POST /me/reauthenticate', { key, body: proof })
  expect([answer.status, answer.body.code]).toEqual([422, 'current_password_wrong'])
  expect((await sessions())[0]?.proved_ms).toBe(before?.proved_ms)
})

it('of parallel changes with one current password, the first one wins and the others are refused', async () => {
  const { user } = await createAccount(t)
  const key = (await signIn(t, user.email)).body.token
  const wanted = ['copper lantern 31 bridge', 'silver meadow 82 comet', 'amber glacier 55 piano']
  const change = (password: string) =>
    t.call('PATCH /me/details/auth', { key, body: { ...proof, password, password_confirmation: password } })
  const statuses = (await Promise.all(wanted.map(change))).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 422, 422])
  const last = wanted[statuses.indexOf(200)]
  expect((await signIn(t, user.email, last)).status).toBe(200)
})

it('a username that changed meanwhile is not taken back without the current password', async () => {
  const { user, key } = await createAccount(t, { role_id: 1, username: 'as it was' })
  const renamed = () => t.ctx.unguarded.updateTable('users').set({ username: 'as it is' }).where('id', '=', user.id)
  beforeNextTransaction(user.id, () => renamed().execute())
  const answer = await t.call(`PATCH /users/${user.id}`, { key, body: { username: 'as it was' } })
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['current_password']])
  expect((await rowOf(t, user.id)).username).toBe('as it is')
})

import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { turnOnTwoFactor } from '../../testing/two-factor.ts'
import { hashPassword } from './passwords.service.ts'

/* 0.1.0 hashed passwords as they were typed. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const typed = 'cafe\u0301 au lait a\u0300 minuit'
const composed = typed.normalize('NFC')
/** An account with the 0.1.0 hash of a password that was typed with separate accents. */
const createOld = async () => (await t.createUser({ password_hash: await hash(typed) })).user

describe('a password hashed as it was typed', () => {
  it('still signs in and is then rehashed in NFC, so that every spelling signs in', async () => {
    const user = await createOld()
    expect((await signIn(t, user.email, composed)).status).toBe(422)
    expect((await rowOf(t, user.id)).password_hash).toBe(user.password_hash)
    const { body } = await signIn(t, user.email, typed)
    expect((await t.call('GET /me', { key: body.token })).body.data.id).toBe(user.id)
    expect((await rowOf(t, user.id)).password_hash).not.toBe(user.password_hash)
    expect((await signIn(t, user.email, composed)).status).toBe(200)
    expect((await signIn(t, user.email, typed)).status).toBe(200)
  })

  it('is also rehashed by a sign-in that continues with the second step', async () => {
    const user = await createOld()
    await turnOnTwoFactor(t, user.id)
    expect((await signIn(t, user.email, typed)).body).toMatchObject({ two_factor_required: true })
    expect((await rowOf(t, user.id)).password_hash).not.toBe(user.password_hash)
  })

  it('signs in on every one of five sign-ins at once', async () => {
    const user = await createOld()
    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(t, user.email, typed)))
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(200))
  })

  it('is still accepted as the current password', async () => {
    const { user, key } = await t.createUser({ password_hash: await hash(typed) })
    const body = { username: `renamed${user.id}`, current_password: typed }
    expect((await t.call('PATCH /me/details/auth', { key, body })).status).toBe(200)
  })

  it('in NFC is hashed once: signing in changes nothing', async () => {
    const { user } = await t.createUser({ password_hash: await hashPassword(composed) })
    expect((await signIn(t, user.email, typed)).status).toBe(200)
    expect((await rowOf(t, user.id)).password_hash).toBe(user.password_hash)
  })
})

import type { Answer, TestApp } from '../../testing/app.ts'
import { totpCode } from '../../testing/totp.ts'
import { createOwner, login, password, signIn } from '../sessions/sessions-test-steps.ts'

export const proof = { current_password: password }

/** A user with a session and an app that is turned on, and what turning it on answered. */
export async function createAppUser(t: TestApp) {
  const user = await createOwner(t)
  const key = await signIn(t, user)
  const { secret, id } = (await t.call('POST /me/factors/totp', { key, body: { ...proof, name: 'Phone' } })).body.data
  const on = await t.call(`POST /me/factors/totp/${id}/verify`, { key, body: { token: totpCode(t, secret) } })
  t.clock.advance({ seconds: 60 })
  return { user, key, id: id as number, secret: secret as string, on }
}

/** The challenge that a right password is answered with. */
export const challengeFor = async (t: TestApp, username: string): Promise<string> =>
  (await login(t, username)).body.challenge

export const answer = (t: TestApp, challenge: string, body: object): Promise<Answer> =>
  t.call('POST /login/2fa', { key: null, body: { challenge, ...body } })

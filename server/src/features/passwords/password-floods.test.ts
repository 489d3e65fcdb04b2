import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'
import { hashPassword, userPlace } from './passwords.service.ts'

/* The same few threads judge and hash the passwords of everybody. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** More than may wait. */
const flood = 200
const twice = (password: string) => ({ password, password_confirmation: password })
const statusesOf = async (answers: readonly Promise<Answer>[]) =>
  (await Promise.all(answers)).map(({ status }) => status)

describe('a flood of new passwords', () => {
  it('of one network leaves other networks their turn', async () => {
    const token = 'x'.repeat(43)
    const reset = { token, email: 'nobody@example.com', ...twice('qwzx8821') }
    const call = (ip: string, path: string, body: object) => t.call(`POST ${path}`, { key: null, ip, body })
    const resets = Array.from({ length: flood }, () => call('192.0.2.1', '/password/reset', reset))
    const account = { username: 'ada', email: 'ada@example.com', ...twice('violet lantern in the rain') }
    expect((await call('198.51.100.1', '/register', account)).status).toBe(201)
    expect(new Set(await statusesOf(resets))).toEqual(new Set([400, 503]))
  })

  it('of one user leaves other users their turn', async () => {
    const [one, other] = [await t.createUser({ role_id: 1 }), await t.createUser({ role_id: 1 })]
    const create = (key: string, name: string) =>
      t.call('POST /users', {
        key,
        body: { email: `${name}@example.com`, role_id: 2, ...twice('qwzx8821') },
      })
    const created = Array.from({ length: flood }, (_, index) => create(one.key, `flood${index}`))
    expect((await create(other.key, 'grace')).status).toBe(201)
    expect(new Set(await statusesOf(created))).toEqual(new Set([201, 503]))
  })

  it('is hashed in turns, too', async () => {
    const hashed = Array.from({ length: flood }, () => hashPassword('quiet harbour', userPlace(1)))
    const settled = Promise.allSettled(hashed)
    expect(await hashPassword('quiet harbour', userPlace(2))).toContain('$argon2id$')
    expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
  })
})

import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { addTotp } from '../../testing/totp.ts'
import { createOwner, login, signIn } from '../sessions/sessions-test-steps.ts'

/* People and administrators see who signed in to an account, and who tried to. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the sign-ins of a user', () => {
  it('are listed newest first, good and failed, with browser, network and method', async () => {
    const user = await createOwner(t)
    const from = { ip: '203.0.113.7', headers: { 'user-agent': agent } }
    for (let times = 0; times < 2; times++) await login(t, user.email, { password: 'not it' }, from)
    t.clock.advance({ minutes: 1 })
    const key = await signIn(t, user, {}, from)
    const own = await t.call('GET /me/sign-ins', { key })
    const common = { browser: 'Firefox', platform: 'Linux', network: '203.0.113.7', id: expect.any(Number) }
    const created_at = expect.stringMatching(/^2026/)
    expect(own.body.data).toEqual([
      { ...common, success: true, reason: null, method: 'password', count: 1, created_at },
      { ...common, success: false, reason: 'password', method: null, count: 2, created_at },
    ])
    expect(own.body.meta.total).toBe(2)
    expect((await t.call(`GET /users/${user.id}/sign-ins`)).body.data).toEqual(own.body.data)
    const failed = await t.call(`GET /users/${user.id}/sign-ins?filter[success]=false`)
    expect(failed.body.data).toHaveLength(1)
  })

  it('name a program by its product, never by sentences before a slash, which would get into mail', async () => {
    const user = await createOwner(t)
    const shown: unknown[] = []
    for (const name of [
      'MyApp/1.0 (iPhone; iOS 17)',
      'curl/8.14.1',
      'Your account is blocked. Call 0900 123456/1.0 x',
    ]) {
      const key = await signIn(t, user, {}, { headers: { 'user-agent': name } })
      shown.push((await t.call('GET /me/sign-ins', { key })).body.data[0].browser)
    }
    expect(shown).toEqual(['MyApp', 'curl', null])
  })

  it('are for who may read the activity, and there for users that exist', async () => {
    const { user, key } = await t.createUser()
    expect((await t.call(`GET /users/${user.id}/sign-ins`, { key })).status).toBe(403)
    expect((await t.call(`GET /users/${user.id}/sign-ins`, { key: null })).status).toBe(401)
    expect((await t.call('GET /users/999999/sign-ins')).status).toBe(404)
    expect((await t.call('GET /me/sign-ins', { key })).body.data).toEqual([])
  })

  it('go back 90 days, or as far as the setting says', async () => {
    const user = await createOwner(t)
    await signIn(t, user)
    t.clock.advance({ days: 89 })
    expect((await t.call(`GET /users/${user.id}/sign-ins`)).body.data).toHaveLength(1)
    t.clock.advance({ days: 2 })
    expect((await t.call(`GET /users/${user.id}/sign-ins`)).body.data).toHaveLength(0)
    await t.call('PATCH /settings', { body: { 'sign_ins.retention_days': 120 } })
    expect((await t.call(`GET /users/${user.id}/sign-ins`)).body.data).toHaveLength(1)
  })
})

describe('who lacks a second factor', () => {
  it('is found by a filter, and counted on the dashboard where their role requires one', async () => {
    const role = await t.createRole('Strict', [])
    await t.call(`PATCH /roles/${role}`, { body: { two_factor: 'required' } })
    const [lacking, having] = await Promise.all([createOwner(t, { role_id: role }), createOwner(t, { role_id: role })])
    await addTotp(t, having.id)
    const found = async (value: string) =>
      (await t.call(`GET /users?filter[two_factor]=${value}&filter[role_id]=${role}`)).body.data.map(
        ({ id }: { id: number }) => id,
      )
    expect(await found('missing')).toEqual([lacking.id])
    expect(await found('off')).toEqual([lacking.id])
    expect(await found('on')).toEqual([having.id])
    expect((await t.call('GET /stats')).body.data.without_required_factor).toBe(1)
    expect((await t.call('GET /users?filter[two_factor]=missing')).body.meta.total).toBe(1)
    expect((await t.call('GET /users?filter[two_factor]=maybe')).status).toBe(422)
  })
})

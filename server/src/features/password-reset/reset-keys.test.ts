import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createAccount,
  newPassword,
  oldPassword,
  registerUnconfirmed,
  requestResetToken,
  reset,
} from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo } from '../../testing/messages.ts'
import { until } from '../../testing/until.ts'

/* A thief who had the password may have created API keys. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const resetWith = (token: string, email: string, more: Record<string, unknown>) =>
  t.call('POST /password/reset', {
    key: null,
    body: { token, email, password: newPassword, password_confirmation: newPassword, ...more },
  })
const preview = (body: Record<string, unknown>) => t.call('POST /password/reset/preview', { key: null, body })
const works = async (key: string) => (await t.call('GET /me', { key })).status === 200
const mailTo = (email: string) => messageTo(t, email, 'password-changed')

/** An account of an administrator, with two keys. */
async function withKeys() {
  const { user, key } = await createAccount(t, { role_id: 1 })
  const { body } = await t.call('POST /api-keys', { key, body: { name: 'Nightly <b>import</b>\r\nBcc: eve' } })
  return { user, keys: [key, body.data.key as string] as const }
}

describe('API keys and a password reset', () => {
  it.each([{}, { revoke_keys: true }, { revoke_keys: null }])('a reset with %j revokes them', async (more) => {
    const { user, keys } = await withKeys()
    const other = await createAccount(t)
    expect((await resetWith(await requestResetToken(t, user.email), user.email, more)).status).toBe(200)
    expect(await Promise.all(keys.map(works))).toEqual([false, false])
    expect(await works(other.key)).toBe(true)
    expect(await t.ctx.db.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()).toEqual([])
    expect((await mailTo(user.email)).body_text).toContain('2 API keys of your account were revoked')
  })

  it('a reset with revoke_keys false keeps them, and the mail lists them with their last use', async () => {
    const { user, keys } = await withKeys()
    const lastUses = t.ctx.db.selectFrom('api_keys').select('last_used_at').where('user_id', '=', user.id)
    await until(async () => (await lastUses.execute()).some(({ last_used_at }) => last_used_at !== null))
    const token = await requestResetToken(t, user.email)
    expect((await resetWith(token, user.email, { revoke_keys: false })).status).toBe(200)
    const { body_text, body_html } = await mailTo(user.email)
    expect(await Promise.all(keys.map(works))).toEqual([true, true])
    expect(body_text).toContain('- test (last used on 2026-')
    expect(body_text).toContain('- Nightly <b>import</b> Bcc: eve (never used)')
    expect(body_html).toContain('Nightly &lt;b&gt;import&lt;/b&gt; Bcc: eve')
    expect(body_html).not.toContain('<b>import')
  })

  it.each([['yes'], [2], [[]], [{}]])('revoke_keys %j is 422 and resets nothing', async (revoke_keys) => {
    const { user, keys } = await withKeys()
    const token = await requestResetToken(t, user.email)
    const { status, body } = await resetWith(token, user.email, { revoke_keys })
    expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['revoke_keys'] })
    expect(await works(keys[0])).toBe(true)
    expect((await reset(t, token, user.email)).status).toBe(200)
  })

  it('a reset that fails revokes none', async () => {
    const { user, keys } = await withKeys()
    const token = await requestResetToken(t, user.email)
    expect((await resetWith(token, 'another@example.com', {})).status).toBe(400)
    expect((await resetWith('A'.repeat(43), user.email, {})).status).toBe(400)
    expect((await resetWith(token, user.email, { password: 'short' })).status).toBe(422)
    expect(await Promise.all(keys.map(works))).toEqual([true, true])
  })
})

describe('API keys and every other change of password', () => {
  const password = { password: newPassword, password_confirmation: newPassword }

  it('by an administrator keeps them unless revoke_keys is sent', async () => {
    const [kept, ended] = [await withKeys(), await withKeys()]
    expect((await t.call(`PATCH /users/${kept.user.id}`, { body: password })).status).toBe(200)
    expect(await Promise.all(kept.keys.map(works))).toEqual([true, true])
    expect((await mailTo(kept.user.email)).body_text).toContain('- Nightly <b>import</b> Bcc: eve')
    const body = { ...password, revoke_keys: true }
    expect((await t.call(`PATCH /users/${ended.user.id}`, { body })).status).toBe(200)
    expect(await Promise.all(ended.keys.map(works))).toEqual([false, false])
    expect((await mailTo(ended.user.email)).body_text).not.toContain('Nightly')
  })

  it('needs a password in the same request: revoke_keys alone changes nothing, and profiles do not have it', async () => {
    const { user, keys } = await withKeys()
    for (const path of [`PATCH /users/${user.id}`, 'PATCH /me/details']) {
      const { status, body } = await t.call(path, { key: keys[0], body: { revoke_keys: true } })
      expect({ status, updated: body.data.updated_at }).toEqual({ status: 200, updated: user.updated_at })
    }
    expect(await Promise.all(keys.map(works))).toEqual([true, true])
  })

  it('by the owner keeps them, and the mail lists them without expired ones', async () => {
    const { user, keys } = await withKeys()
    const { body } = await t.call('POST /api-keys', { key: keys[0], body: { name: 'Short-lived' } })
    const past = { expires_at: '2020-01-01 00:00:00' }
    await t.ctx.unguarded.updateTable('api_keys').set(past).where('id', '=', body.data.id).execute()
    const change = { ...password, current_password: oldPassword }
    expect((await t.call('PATCH /me/details/auth', { key: keys[0], body: change })).status).toBe(200)
    const { body_text } = await mailTo(user.email)
    expect(body_text).toContain('- Nightly <b>import</b> Bcc: eve (never used)')
    expect(body_text).not.toContain('Short-lived')
  })

  it('does not mention keys to users without any, and counts those beyond twenty', async () => {
    const { user } = await createAccount(t)
    await t.ctx.unguarded.deleteFrom('api_keys').where('user_id', '=', user.id).execute()
    await t.call(`PATCH /users/${user.id}`, { body: password })
    expect((await mailTo(user.email)).body_text).not.toContain('API key')
    const many = await withKeys()
    for (let made = 0; made < 21; made++) {
      await t.call('POST /api-keys', { key: many.keys[0], body: { name: `Key ${made}` } })
    }
    await t.call(`PATCH /users/${many.user.id}`, { body: password })
    const { body_text } = await mailTo(many.user.email)
    expect(body_text?.match(/^- /gm)).toHaveLength(20)
    expect(body_text).toContain('and 3 more')
  })
})

describe('the preview of a reset', () => {
  it('says how many keys there are, and the token stays valid', async () => {
    const { user } = await withKeys()
    const token = await requestResetToken(t, user.email)
    for (let time = 0; time < 3; time++) {
      expect(await preview({ token, email: user.email })).toMatchObject({
        status: 200,
        body: { data: { api_keys: 2 } },
      })
    }
    expect((await reset(t, token, user.email)).status).toBe(200)
    expect((await preview({ token, email: user.email })).status).toBe(400)
  })

  it('answers an invalid token like the reset', async () => {
    const { user } = await withKeys()
    const token = await requestResetToken(t, user.email)
    const { token: foreign, user: other } = await registerUnconfirmed(t)
    const wrong = [
      { token, email: 'another@example.com' },
      { token: 'A'.repeat(43), email: user.email },
      { token: foreign, email: other.email },
    ]
    for (const body of wrong) {
      const answer = await preview(body)
      const refused = await resetWith(body.token, body.email, {})
      expect({ status: answer.status, text: answer.text }).toEqual({ status: 400, text: refused.text })
    }
    t.clock.advance({ minutes: 60 })
    expect((await preview({ token, email: user.email })).status).toBe(400)
    expect((await preview({})).status).toBe(422)
  })

  it('is 404 while resets are switched off', async () => {
    await t.call('PATCH /settings', { body: { 'password_reset.enabled': false } })
    expect((await preview({ token: 'a', email: 'a@example.com' })).status).toBe(404)
    await t.call('PATCH /settings', { body: { 'password_reset.enabled': true } })
  })
})

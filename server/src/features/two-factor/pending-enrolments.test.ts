import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createAccount, newPassword, oldPassword, requestResetToken, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { Authenticator } from '../../testing/authenticator.ts'
import { asNdjson, importFile, ndjson, runJobs } from '../../testing/jobs.ts'
import { codeIn, messageTo, tokenIn } from '../../testing/messages.ts'
import { totpCode } from '../../testing/totp.ts'
import { newPhone } from '../../testing/two-factor.ts'
import { createRacingApp, handleOf } from '../sessions/sessions-test-steps.ts'

/* What was begun with an old password, or in a session that was ended, cannot be finished. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'), { GATEHOUSE_SMS_BUDGET: 'off' })
})
afterAll(() => t.close())
beforeEach(() => t.clock.advance({ minutes: 1 }))

type Account = Awaited<ReturnType<typeof createAccount>>['user']
const proof = { current_password: oldPassword }
const change = { password: newPassword, password_confirmation: newPassword }

const succeed = async (request: string, key: string | undefined, body: object) => {
  const answer = await t.call(request, { ...(key === undefined ? {} : { key }), body })
  if (answer.status >= 300) throw new Error(answer.text)
  return answer.body
}

/** What ends sessions for safety. */
const endings: Record<string, (user: Account, key: string) => Promise<unknown>> = {
  'a new password of their own': (_, key) => succeed('PATCH /me/details/auth', key, { ...change, ...proof }),
  'a new password by an administrator': ({ id }) => succeed(`PATCH /users/${id}`, undefined, change),
  'a reset of the password': async ({ email }) => {
    const body = { token: await requestResetToken(t, email), email, ...change, revoke_keys: false }
    return succeed('POST /password/reset', undefined, body)
  },
  'an import with a password': async ({ email }) => {
    const { job } = await importFile(t, ndjson({ email, password: newPassword }), {
      ...asNdjson,
      query: '?on_conflict=update',
    })
    expect(job).toMatchObject({ updated: 1 })
  },
  'the end of all sessions': ({ id }) => succeed(`DELETE /users/${id}/sessions`, undefined, {}),
  'the end of the sessions of many': async ({ id }) => {
    await succeed('POST /users/bulk', undefined, { action: 'end_sessions', ids: [id], expected: 1 })
    await runJobs(t)
  },
  'securing the account': async ({ id, email }) => {
    await succeed(`PATCH /users/${id}`, undefined, { email: `moved.${email}` })
    const token = tokenIn(await messageTo(t, email, 'email-changed'))
    return succeed('POST /secure-account', undefined, { token })
  },
}

describe.each(Object.entries(endings))('after %s', (_, end) => {
  it('no enrolment that was begun before can be finished', async () => {
    const { user, key } = await createAccount(t)
    const phone = newPhone()
    const app = (await succeed('POST /me/factors/totp', key, proof)).data
    const options = await succeed('POST /me/factors/passkeys/options', key, proof)
    await succeed('PUT /me/2fa', key, { ...phone.body, ...proof })
    const token = codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))
    // An old key, which even securing the account does not revoke.
    const created_at = '2020-01-01 00:00:00'
    await t.ctx.unguarded.updateTable('api_keys').set({ created_at }).where('user_id', '=', user.id).execute()
    await end(user, key)
    const credential = new Authenticator().create(options)
    const answers = [
      await t.call(`POST /me/factors/totp/${app.id}/verify`, { key, body: { token: totpCode(t, app.secret) } }),
      await t.call('POST /me/factors/passkeys', { key, body: { credential, name: 'Laptop' } }),
      await t.call('POST /me/2fa/verify', { key, body: { token } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 422, 422])
    const { data } = (await t.call('GET /me/factors', { key })).body
    expect(data.filter(({ verified }: { verified: boolean }) => verified)).toEqual([])
  })
})

it.each(['an app', 'a phone'])(
  'the code of %s stays good where the session ends before the factor is on',
  async (what) => {
    const { t, beforeNextTransaction } = await createRacingApp(inject('postgresUrl'))
    const { user, key } = await createAccount(t)
    const phone = newPhone()
    const { id, secret } = (await t.call('POST /me/factors/totp', { key, body: proof })).body.data
    const put = await t.call('PUT /me/2fa', { key, body: { ...phone.body, ...proof } })
    expect(put.status).toBe(200)
    const [path, token] =
      what === 'an app'
        ? [`/me/factors/totp/${id}/verify`, totpCode(t, secret)]
        : ['/me/2fa/verify', codeIn(await messageTo(t, phone.e164, 'two-factor-enrolment'))]
    const ending = (await signIn(t, user.email)).body.token
    const session = await handleOf(t, ending)
    beforeNextTransaction(() => t.call(`DELETE /sessions/${session}`))
    expect((await t.call(`POST ${path}`, { key: ending, body: { token } })).status).toBe(401)
    expect((await t.call(`POST ${path}`, { key, body: { token } })).status).toBe(200)
  },
)

it('securing the account takes the number away that a thief has begun with', async () => {
  const { user, key } = await createAccount(t)
  await succeed('PUT /me/2fa', key, { ...newPhone().body, ...proof })
  await endings['securing the account']?.(user, key)
  const { data } = (await t.call(`GET /users/${user.id}`)).body
  expect(data).toMatchObject({ two_factor_country_code: null, two_factor_phone: null, two_factor_options: null })
  expect((await t.call(`GET /users/${user.id}/factors`)).body.data).toEqual([])
})

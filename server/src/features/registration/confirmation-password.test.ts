import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createAccount,
  newcomer,
  oldPassword,
  registerUnconfirmed,
  rowOf,
  signIn,
  whileDeleted,
} from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'

/* Whoever registers another person's address knows the password; whoever has the mailbox has the link. Confirming takes both. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const verify = (token: string, password?: unknown) =>
  t.call('POST /email/verify', { key: null, body: { token, password } })
const preview = (token: string) => t.call('POST /email/verify/preview', { key: null, body: { token } })
const statusOf = async ({ id }: { id: number }) => (await rowOf(t, id)).status
const wrong = { status: 422, body: { code: 'account_password_wrong', errors: { password: [expect.any(String)] } } }

/** An account, and the link in the mail that asks whether a new address is theirs. */
async function changingAddress() {
  const { user, key } = await createAccount(t)
  const email = `changed.${user.email}`
  await t.call('PATCH /me/details/auth', { key, body: { email, current_password: oldPassword } })
  return { user, key, email, token: tokenIn(await messageTo(t, email, 'confirm-email')) }
}

describe('an address is confirmed only with the password of its owner', () => {
  it('of a new account: the owner of the mailbox, who does not know the password, confirms nothing', async () => {
    const { user, token } = await registerUnconfirmed(t, newcomer())
    expect(await verify(token, 'what the victim would choose')).toMatchObject(wrong)
    expect(await statusOf(user)).toBe('Unconfirmed')
    expect((await signIn(t, user.email)).status).toBe(403)
    expect(await verify(token, oldPassword)).toMatchObject({ status: 200, body: { success: true } })
    expect(await statusOf(user)).toBe('Active')
  })

  it('of a changed address: the password of the account is required', async () => {
    const { user, email, token } = await changingAddress()
    expect(await verify(token, 'what the victim would choose')).toMatchObject(wrong)
    expect((await rowOf(t, user.id)).email).toBe(user.email)
    expect((await verify(token, oldPassword)).status).toBe(200)
    expect((await rowOf(t, user.id)).email).toBe(email)
  })

  it.each([[undefined], [null], [''], [0], [true], [[]], [{}]])(
    '%j as password is 422 and not counted',
    async (password) => {
      const { token } = await registerUnconfirmed(t)
      for (let time = 0; time < 6; time++) {
        const { status, body } = await verify(token, password)
        expect({ status, fields: Object.keys(body.errors) }).toEqual({ status: 422, fields: ['password'] })
      }
      expect((await verify(token, oldPassword)).status).toBe(200)
    },
  )

  it('the link and its preview expire after five wrong passwords; a new one is valid again', async () => {
    const { user, token } = await registerUnconfirmed(t)
    for (let time = 0; time < 5; time++) expect(await verify(token, `wrong ${time}`)).toMatchObject(wrong)
    expect((await verify(token, oldPassword)).body).toMatchObject({ code: 'email_token_invalid' })
    expect((await preview(token)).status).toBe(400)
    expect(await statusOf(user)).toBe('Unconfirmed')
    t.clock.advance({ minutes: 1 })
    await t.call('POST /email/resend', { key: null, body: { email: user.email } })
    const again = tokenIn(await messageTo(t, user.email, 'confirm-email'))
    expect((await verify(again, oldPassword)).status).toBe(200)
  })

  it('is invalid where the account is deleted while the password is checked', async () => {
    const answers = await whileDeleted(t, async () => {
      const { user, token } = await registerUnconfirmed(t)
      return { id: user.id, send: () => verify(token, oldPassword) }
    })
    for (const { body } of answers) expect([undefined, 'email_token_invalid']).toContain(body.code)
  })

  it('succeeds at the fifth attempt', async () => {
    const { token } = await registerUnconfirmed(t)
    for (let time = 0; time < 4; time++) await verify(token, `wrong ${time}`)
    expect((await verify(token, oldPassword)).status).toBe(200)
  })

  it.each(['of a new account', 'of a changed address'])(
    'of 50 parallel wrong passwords, five are checked, %s',
    async (which) => {
      const { token } = which === 'of a new account' ? await registerUnconfirmed(t) : await changingAddress()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => verify(token, `wrong ${index}`)))
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(45)
      expect((await verify(token, oldPassword)).status).toBe(400)
    },
  )

  it('expects the current password if it was reset in the meantime', async () => {
    const { user, token } = await registerUnconfirmed(t)
    const password = 'chosen by the owner of the mailbox'
    t.clock.advance({ minutes: 1 })
    await t.call('POST /password/remind', { key: null, body: { email: user.email } })
    const reset = tokenIn(await messageTo(t, user.email, 'reset-password'))
    const body = { token: reset, email: user.email, password, password_confirmation: password }
    expect((await t.call('POST /password/reset', { key: null, body })).status).toBe(200)
    expect(await verify(token, oldPassword)).toMatchObject(wrong)
    expect((await verify(token, password)).status).toBe(200)
  })
})

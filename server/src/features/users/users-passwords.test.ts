import { dictionary } from '@zxcvbn-ts/language-common'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { hardPassword } from '../../testing/passwords.ts'
import { verifyPassword } from '../passwords/passwords.service.ts'
import { goodPassword, invalid, readAudit, readRow, refusal, userBody, write, writes } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const made = hardPassword
const emoji = '🦉🌋🧭🪁🎻🥁'
const both = (password: unknown) => ({ password, password_confirmation: password })

const wellFormed = [
  ...[8, 64, 256].flatMap((length) => [made(length), made(length, emoji), made(length, 'éあüßñ漢字ж')]),
  ...['  kept with its spaces  ', 'pass\u200bword\u0301', 'P4ssw0rd’s ünïcødé', 'nul looks like \\0'],
]
const malformed = [
  ...[0, 1, 7, 257, 1000].flatMap((length) => [made(length), made(length, emoji)]),
  ...[null, 12345678, true, [], {}, ['a quiet harbour'], 'with a \0 inside', 'a lone \ud800 surrogate'],
]

describe.each(writes)('%s of a password', (method) => {
  const success = method === 'POST' ? 201 : 200

  it.each(wellFormed)('accepts %j and uses all of it', async (password) => {
    const { status, body, text } = await write(t, method, both(password))
    expect(status).toBe(success)
    expect(text).not.toContain(password.trim() || 'password')
    const { password_hash } = await readRow(t, body.data.id)
    expect(await verifyPassword(password_hash, password)).toBe(true)
    expect(await verifyPassword(password_hash, password.slice(0, -1))).toBe(false)
  })

  it('uses what follows after 72 bytes', async () => {
    const password = made(100, 'Wq7!kRx-')
    const { id } = (await write(t, method, both(password))).body.data
    expect(await verifyPassword((await readRow(t, id)).password_hash, password.slice(0, 72))).toBe(false)
  })

  // An empty one in an update counts as not sent.
  const wrong = method === 'POST' ? malformed : malformed.filter((password) => password !== null && password !== '')
  it.each(wrong)('refuses %j', async (password) => {
    const answer = await write(t, method, both(password))
    expect(answer.body.errors?.password).toHaveLength(1)
    expect(answer.status).toBe(422)
  })

  it('refuses 100 common passwords in any case and width', async () => {
    const common = dictionary['passwords-common'].filter((entry) => [...entry].length >= 8).slice(0, 100)
    expect(common).toHaveLength(100)
    for (const entry of common) {
      for (const password of [entry, entry.toUpperCase()]) {
        const answer = await write(t, method, both(password))
        expect(refusal(answer), password).toEqual(invalid('password', 'password_too_common'))
      }
    }
    const wide = await write(t, method, both('ｐａｓｓｗｏｒｄ'))
    expect(refusal(wide)).toEqual(invalid('password', 'password_too_common'))
  })

  it.each([
    [{ email: 'ada.byron@example.com' }, 'ada.byron@example.com'],
    [{ email: 'ada.byron@example.com' }, ' ADA.Byron@example.com'],
    [{ email: 'ada@münchen.example' }, 'ada@xn--mnchen-3ya.example'],
    [{ username: 'countess of lovelace' }, 'countess of lovelace'],
    [{ username: 'countess of lovelace' }, 'ＣＯＵＮＴＥＳＳ of lovelace'],
  ])('refuses the name that is sent with it: %j and %j', async (names, password) => {
    const answer = await write(t, method, { ...names, ...both(password) })
    expect(refusal(answer)).toEqual(invalid('password', 'password_is_account_name'))
  })

  it('refuses a confirmation that differs in anything, at both fields', async () => {
    for (const password_confirmation of [`${goodPassword} `, goodPassword.toUpperCase(), '']) {
      expect(refusal(await write(t, method, { password: goodPassword, password_confirmation }))).toEqual({
        status: 422,
        code: 'validation_failed',
        fields: ['password', 'password_confirmation'],
      })
    }
    const short = await write(t, method, { password: 'aaa', password_confirmation: 'bbb' })
    expect(refusal(short).fields).toEqual(['password', 'password_confirmation'])
    const typed = await write(t, method, { password: goodPassword, password_confirmation: 5 })
    expect(refusal(typed)).toEqual(invalid('password_confirmation'))
  })
})

describe('a password on its way', () => {
  it('needs its confirmation on create, and not on update', async () => {
    const created = await t.call('POST /users', { body: userBody({ password_confirmation: undefined }) })
    expect(refusal(created)).toEqual(invalid('password_confirmation'))
    for (const method of ['PATCH', 'PUT'] as const) {
      const { body } = await write(t, method, { password: goodPassword })
      expect(await verifyPassword((await readRow(t, body.data.id)).password_hash, goodPassword)).toBe(true)
    }
  })

  it.each(['PATCH', 'PUT'])('is compared with the new names on %s, not with the replaced ones', async (method) => {
    const email = `present.${method}@example.com`
    const username = `present name ${method}`
    const { user } = await t.createUser({ email, username })
    const patch = (body: object) => t.call(`${method} /users/${user.id}`, { body })
    for (const password of [email.toUpperCase(), username.toUpperCase()]) {
      expect(refusal(await patch(both(password)))).toEqual(invalid('password', 'password_is_account_name'))
    }
    expect((await patch({ ...both(username), username: null })).status).toBe(200)
    expect((await readRow(t, user.id)).username).toBeNull()
  })

  it('is not changed by an update without one, and a change writes an audit row', async () => {
    const { user } = await t.createUser({ password_hash: 'kept' })
    await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Ada' } })
    expect((await readRow(t, user.id)).password_hash).toBe('kept')
    await t.call(`PATCH /users/${user.id}`, { body: both(goodPassword) })
    expect((await readAudit(t, user.id)).map(({ event, details }) => [event, details])).toEqual([
      ['user.updated', '{"fields":["first_name"]}'],
      ['user.password_changed', null],
    ])
  })
})

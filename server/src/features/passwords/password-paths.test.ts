import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import {
  createAccount,
  newcomer,
  oldPassword,
  register,
  requestResetToken,
  reset,
  signIn,
} from '../../testing/accounts.ts'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'
import { easyPasswords, fairPasswords, hardPassword } from '../../testing/passwords.ts'
import { threadMs } from '../../testing/processor-time.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  await t.call('PATCH /settings', { body: { 'registration.email_confirmation': false } })
})
afterAll(() => t.close())

interface Account {
  readonly email: string
  readonly username: string
  readonly set: (password: string) => Promise<Answer>
}

const confirmed = (password: string) => ({ password, password_confirmation: password })

/** Every path that sets a password: each creates an account and a function that sets its password. */
const paths: Record<string, () => Promise<Account>> = {
  'POST /register': async () => {
    const { email, username } = newcomer()
    return { email, username, set: (password) => register(t, { email, username, ...confirmed(password) }) }
  },
  'POST /users': async () => {
    const { email, username } = newcomer()
    const body = { email, username, role_id: 2 }
    return { email, username, set: (password) => t.call('POST /users', { body: { ...body, ...confirmed(password) } }) }
  },
  'PATCH /users/{id}': async () => {
    const { email, username } = newcomer()
    const { user } = await createAccount(t, { email, username })
    return { email, username, set: (password) => t.call(`PATCH /users/${user.id}`, { body: confirmed(password) }) }
  },
  'PATCH /me/details/auth': async () => {
    const { email, username } = newcomer()
    const { key } = await createAccount(t, { email, username })
    const set = (password: string) =>
      t.call('PATCH /me/details/auth', { key, body: { ...confirmed(password), current_password: oldPassword } })
    return { email, username, set }
  },
  'POST /password/reset': async () => {
    const { email, username } = newcomer()
    await createAccount(t, { email, username })
    const token = await requestResetToken(t, email)
    return { email, username, set: (password) => reset(t, token, email, password) }
  },
}

const list = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/src/passwords.json')
/** From all over the list, long enough not to be refused for their length. */
const commonPasswords = (JSON.parse(readFileSync(list, 'utf8')) as string[])
  .filter(({ length }) => length >= 8)
  .filter((_, index) => index % 150 === 0)
  .slice(0, 100)

const accepted = (answer: Answer) => answer.status === 200 || answer.status === 201

describe.each(Object.entries(paths))('a password set by %s', (_, begin) => {
  // asvs: 6.2.1
  it.each([
    ['letters', 7, false],
    ['letters', 8, true],
    ['letters', 64, true],
    ['letters', 256, true],
    ['letters', 257, false],
    ['pictures', 7, false],
    ['pictures', 8, true],
    ['pictures', 256, true],
    ['pictures', 257, false],
  ] as const)('of %s, %i code points: %s', async (kind, count, isRight) => {
    const { set, email } = await begin()
    const password = hardPassword(count, kind === 'pictures' ? '🦊🦉🌋🧭🪁🎻🥁🐢' : undefined)
    const answer = await set(password)
    expect(accepted(answer), answer.text).toBe(isRight)
    if (!isRight) expect(Object.keys(answer.body.errors)).toEqual(['password'])
    else expect((await signIn(t, email, password)).status).toBe(200)
  })

  // asvs: 6.2.5
  it('may be any Unicode, unchanged: spaces around it count', async () => {
    const { set, email } = await begin()
    const password = '  Ω≈ç√ пароль 密码 \u{1F511}  '
    expect(accepted(await set(password))).toBe(true)
    expect((await signIn(t, email, password)).status).toBe(200)
    expect((await signIn(t, email, password.trim())).status).toBe(422)
  })

  // asvs: 6.2.8
  it('is never cut: the first 72 bytes of a longer one do not sign in', async () => {
    const { set, email } = await begin()
    const password = hardPassword(100, 'abcdefghijklmnopqrstuvwxyz')
    expect(accepted(await set(password))).toBe(true)
    expect((await signIn(t, email, password.slice(0, 72))).status).toBe(422)
    expect((await signIn(t, email, password)).status).toBe(200)
  })

  // asvs: 6.2.4
  it('common ones are refused: 100 samples', async () => {
    const { set } = await begin()
    expect(commonPasswords).toHaveLength(100)
    for (const password of commonPasswords) {
      const answer = await set(password)
      expect(answer, password).toMatchObject({ status: 422, body: { code: 'password_too_common' } })
    }
  })

  it('that is easy to guess is refused, and the answer says why', async () => {
    const { set } = await begin()
    for (const password of easyPasswords) {
      const answer = await set(password)
      expect(answer, password).toMatchObject({ status: 422, body: { errors: { password: [expect.any(String)] } } })
      expect(['password_too_easy', 'password_too_common'], password).toContain(answer.body.code)
    }
    expect((await set('Welcome2026!')).body.errors.password).toEqual([
      'This password is too easy to guess. A word with digits or marks around it is easy to guess.',
    ])
    expect((await set('hjklhjklhjkl')).body.errors.password).toEqual([
      'This password is too easy to guess. Repeated patterns like "abcabc" are easy to guess.',
    ])
  })

  it('that is a phrase or comes from a generator is accepted', async () => {
    for (const password of fairPasswords) {
      const { set } = await begin()
      const answer = await set(password)
      expect(accepted(answer), `${password}: ${answer.text}`).toBe(true)
    }
  })

  // asvs: 6.2.11
  it('must not be made of public information about its owner', async () => {
    const { set, email, username } = await begin()
    for (const password of [`${username}!!`, `${username}2026`, `${email}1`, [...username].reverse().join('')]) {
      expect(await set(password), password).toMatchObject({ status: 422, body: { code: 'password_too_easy' } })
    }
  })

  it('is the same however its accents were typed, composed or not', async () => {
    const { set, email } = await begin()
    expect(accepted(await set('cafe\u0301 nai\u0308f a\u0300 minuit'))).toBe(true)
    expect((await signIn(t, email, 'café naïf à minuit')).status).toBe(200)
    expect((await signIn(t, email, 'cafe\u0301 naïf a\u0300 minuit')).status).toBe(200)
    expect((await signIn(t, email, 'cafe naif a minuit')).status).toBe(422)
  })

  it('is counted in its stored form: four letters with four accents are four', async () => {
    const { set } = await begin()
    const answer = await set('e\u0301u\u0308o\u0302n\u0303')
    expect(answer.body.errors).toEqual({ password: ['The password field must be at least 8 characters.'] })
  })

  it('is not the email address or the username, however spelled', async () => {
    const { set, email, username } = await begin()
    const own = [
      email,
      email.toUpperCase(),
      ` ${email} `,
      username,
      username.toUpperCase(),
      username.replace('n', 'ｎ'),
    ]
    for (const password of own) {
      const answer = await set(password)
      expect(answer, password).toMatchObject({ status: 422, body: { code: 'password_is_account_name' } })
    }
  })

  it('holds no NUL and no lone surrogate', async () => {
    const { set } = await begin()
    for (const password of ['twelve chars\0', 'twelve chars\ud800']) expect((await set(password)).status).toBe(422)
  })

  it('must be as long as the setting says, from the next request on', async () => {
    const { set } = await begin()
    await t.call('PATCH /settings', { body: { 'password.min_length': 12 } })
    const short = await set('elevenchars')
    const enough = await set('twelve chars')
    await t.call('PATCH /settings', { body: { 'password.min_length': 8 } })
    expect(short.body.errors).toEqual({ password: ['The password field must be at least 12 characters.'] })
    expect(accepted(enough)).toBe(true)
  })
})

it.each([
  ['POST /register', { ...newcomer() }],
  ['POST /password/reset', { token: 'x'.repeat(43), email: 'ada@example.com' }],
  ['PATCH /users/1', {}],
])('a long confirmation of combining marks is refused without being put in order: %s', async (path, fields) => {
  const body = { ...fields, password: 'quiet harbour at dawn', password_confirmation: '\u0300\u0316'.repeat(14_000) }
  const send = async () => expect((await t.call(path, { body })).body.errors).toHaveProperty('password_confirmation')
  await send()
  expect(await threadMs(send)).toBeLessThan(100)
})

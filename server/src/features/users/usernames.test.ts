import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newcomer, oldPassword, register, rowOf, signIn } from '../../testing/accounts.ts'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { readAudit, userBody } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** Every path over HTTP that sets a username; `email` is the address of the account. */
const paths: Record<string, (username: string, email: string) => Promise<Answer>> = {
  'POST /users': (username, email) => t.call('POST /users', { body: userBody({ username, email }) }),
  'PATCH /users/{id}': async (username, email) => {
    const { user } = await t.createUser({ email })
    return t.call(`PATCH /users/${user.id}`, { body: { username } })
  },
  'PATCH /users/{id}, with the address': async (username, email) => {
    const { user } = await t.createUser()
    return t.call(`PATCH /users/${user.id}`, { body: { username, email } })
  },
  'POST /register': (username, email) => register(t, newcomer({ username, email })),
  'PATCH /me/details/auth': async (username, email) => {
    const { key } = await createAccount(t, { email })
    return t.call('PATCH /me/details/auth', { key, body: { username, current_password: oldPassword } })
  },
}

let made = 0
const newEmail = () => `owner${++made}@münchen.example`

describe.each(Object.entries(paths))('a username set by %s', (_, set) => {
  it.each(['somebody@example.org', 'x@', '@', 'somebody＠example.org', 'somebody﹫example.org'])(
    'with an @ in it is nobody else’s address: %s',
    async (username) => {
      const { status, body } = await set(username, newEmail())
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'username_not_your_address', ['username']])
    },
  )

  it('may be the account’s own address, in any spelling of it', async () => {
    for (const spell of [
      (email: string) => email,
      (email: string) => email.toUpperCase(),
      (email: string) => email.replace('münchen', 'xn--mnchen-3ya'),
    ]) {
      const email = newEmail()
      const { status, text } = await set(spell(email), email)
      expect([200, 201], text).toContain(status)
    }
  })

  it('is not another spelling of the own address', async () => {
    const number = ++made
    const { body } = await set(`owner${number}@gıthub.test`, `owner${number}@github.test`)
    expect(body.code).toBe('username_not_your_address')
  })

  it.each(['аdmin', 'αdmin', 'paypaⅼа', 'ひ한', 'עdа', 'µtorrent', 'a\ue000'])(
    'does not mix unrelated scripts: %s',
    async (username) => {
      const { status, body } = await set(username, newEmail())
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'username_mixes_scripts', ['username']])
    },
  )

  it.each(['админ', 'Ada 山田 ひカ', 'Kim 한국', 'jose\u0301 😀', 'ａｄａ'])(
    'is accepted in one script, or in related ones: %s',
    async (name) => {
      const { status, text } = await set(`${name} ${++made}`, newEmail())
      expect([200, 201], text).toContain(status)
    },
  )
})

describe('a username that is older than these rules', () => {
  it('is accepted while it is unchanged, whatever else changes', async () => {
    for (const username of ['somebody@else.example', 'аdmin']) {
      const { user, key } = await createAccount(t, { username })
      const changes = { username, first_name: 'Ada', email: `moved.${user.email}` }
      expect((await t.call(`PATCH /users/${user.id}`, { body: changes })).body.data).toMatchObject(changes)
      const own = { username, current_password: oldPassword }
      expect((await t.call('PATCH /me/details/auth', { key, body: own })).status).toBe(200)
      const other = { ...own, username: `${username}.` }
      expect((await t.call('PATCH /me/details/auth', { key, body: other })).status).toBe(422)
    }
  })
})

describe('a username that is the account’s address', () => {
  const createNamed = async () => {
    const email = `named${++made}@example.com`
    return createAccount(t, { email, username: email.toUpperCase() })
  }

  it('becomes the new address, when an administrator changes that, and the log says so', async () => {
    const { user } = await createNamed()
    const email = `new.${user.email}`
    expect((await t.call(`PATCH /users/${user.id}`, { body: { email } })).body.data).toMatchObject({
      email,
      username: email,
    })
    expect((await signIn(t, user.email)).status).toBe(422)
    expect((await readAudit(t, user.id)).at(-1)?.details).toBe('{"fields":["email","username"]}')
  })

  it('becomes the new address when that is confirmed, and not before', async () => {
    const { user, key } = await createNamed()
    const email = `new.${user.email}`
    await t.call('PATCH /me/details/auth', { key, body: { email, current_password: oldPassword } })
    expect(await rowOf(t, user.id)).toMatchObject({ email: user.email, username: user.username })
    const token = tokenIn(await messageTo(t, email, 'confirm-email'))
    await t.call('POST /email/verify', { key: null, body: { token, password: oldPassword } })
    expect(await rowOf(t, user.id)).toMatchObject({ email, username: email })
  })

  it('cannot be an address that is not confirmed yet', async () => {
    const { user, key } = await createNamed()
    const email = `new.${user.email}`
    const body = { email, username: email, current_password: oldPassword }
    expect((await t.call('PATCH /me/details/auth', { key, body })).body.code).toBe('username_not_your_address')
  })

  it('stays unchanged if the new address is the same in another spelling', async () => {
    const { user } = await createNamed()
    await t.call(`PATCH /users/${user.id}`, { body: { email: user.email.toUpperCase() } })
    expect((await rowOf(t, user.id)).username).toBe(user.username)
  })

  it('is removed if the new address is taken as a username or mixes scripts', async () => {
    const { user: squatter } = await t.createUser({ username: 'wanted@example.com' })
    for (const email of [squatter.username as string, 'дима@example.com']) {
      const { user } = await createNamed()
      expect((await t.call(`PATCH /users/${user.id}`, { body: { email } })).body.data).toMatchObject({
        email,
        username: null,
      })
    }
  })
})

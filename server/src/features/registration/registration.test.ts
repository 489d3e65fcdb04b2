import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { countMessages, createAccount, newcomer, oldPassword, register, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { messagesTo } from '../../testing/messages.ts'
import { wrapTransactions } from '../../testing/transactions.ts'
import type { UserRow } from '../accounts/users.table.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const set = async (settings: Record<string, unknown>): Promise<void> => {
  const { status, text } = await t.call('PATCH /settings', { body: settings })
  if (status !== 200) throw new Error(text)
}

const findByEmail = (email: string): Promise<UserRow | undefined> =>
  t.ctx.unguarded.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

/** Registers, and reads the row. */
async function registered(more: Record<string, unknown> = {}): Promise<UserRow> {
  const body = newcomer(more)
  const { status, text } = await register(t, body)
  if (status !== 201) throw new Error(text)
  return (await findByEmail(body.email)) as UserRow
}

/** The number of rows of everything that a registration writes. */
const countAll = async () => {
  const count = (table: 'users' | 'activity' | 'tokens') =>
    t.ctx.unguarded
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  return [await count('users'), await count('activity'), await count('tokens'), await countMessages(t)]
}

describe('registering', () => {
  it('with confirmation: 201, an Unconfirmed account, one mail with a link, and an audit row', async () => {
    const body = newcomer()
    const answer = await register(t, body, { 'user-agent': 'a browser' })
    expect(answer).toMatchObject({ status: 201, body: { requires_email_confirmation: true } })
    const user = (await findByEmail(body.email)) as UserRow
    expect(user).toMatchObject({ username: body.username, status: 'Unconfirmed', role_id: 2, terms_version: null })
    expect(user).toMatchObject({
      first_name: null,
      two_factor_options: null,
      last_login: null,
      terms_accepted_at: null,
    })
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$/)
    const mails = await messagesTo(t, body.email)
    expect(mails.map(({ template }) => template)).toEqual(['confirm-email'])
    expect(mails[0]?.body_text).toMatch(/http:\/\/gatehouse\.test\/verify-email#token=[\w-]{43}\s/)
    const { data } = (await t.call(`GET /users/${user.id}/activity`)).body
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({ event: 'user.registered', actor_id: user.id, user_agent: 'a browser' })
    expect(JSON.stringify(data)).not.toContain(oldPassword)
  })

  it('without confirmation: 201, an Active account that can sign in, and no mail', async () => {
    await set({ 'registration.email_confirmation': false })
    const body = newcomer()
    expect(await register(t, body)).toMatchObject({ status: 201, body: { requires_email_confirmation: false } })
    await set({ 'registration.email_confirmation': true })
    expect(await messagesTo(t, body.email)).toEqual([])
    expect((await signIn(t, body.username)).status).toBe(200)
  })

  it('an Unconfirmed account cannot sign in: the right password is 403, a wrong one 422 as for any account', async () => {
    const { email } = await registered()
    expect((await signIn(t, email)).status).toBe(403)
    const [wrong, unknown] = [await signIn(t, email, 'wrong'), await signIn(t, 'nobody@example.com', 'wrong')]
    expect(wrong).toMatchObject({ status: 422, body: unknown.body })
  })

  it('names every failing field at once, without writing anything', async () => {
    const before = await countAll()
    const { status, body } = await register(t, {})
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual(['email', 'password', 'password_confirmation', 'username'])
    const wrong = { username: ['a'], email: { a: 1 }, password: 12345678, password_confirmation: null, tos: 'maybe' }
    expect(Object.keys((await register(t, wrong)).body.errors).sort()).toEqual(Object.keys(wrong).sort())
    expect(await countAll()).toEqual(before)
  })

  it.each([
    [['a@example.com', 'b@example.com']],
    ['a@example.com,b@example.com'],
    ['a@example.com\r\nBcc: b@example.com'],
    ['A <a@example.com>'],
    [{ email: 'a@example.com' }],
  ])('takes one plain email address: %j is 422', async (email) => {
    const { status, body } = await register(t, newcomer({ email }))
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['email'])
  })

  // asvs: 15.3.3
  it('writes only its own fields (no mass assignment)', async () => {
    const admin = await rowOf(t, 1)
    const server = Object.keys(admin).filter((name) => !['username', 'email', 'password_hash'].includes(name))
    const given = Object.fromEntries(server.map((name) => [name, (admin as Record<string, unknown>)[name] ?? 'x']))
    const mine = {
      id: 4711,
      status: 'Active',
      role_id: 1,
      role: 'Admin',
      permissions: ['users.manage'],
      verified: true,
    }
    const more = { ...given, ...mine, email_verified_at: '2026-01-01 00:00:00', password_hash: 'x', terms_version: 'x' }
    const user = await registered({ ...more, two_factor_options: '{"enabled":true}' })
    const plain = await registered()
    const ownNames = (row: UserRow) => {
      const { id, username, username_canonical, email, email_canonical, password_hash, ...others } = row
      return others
    }
    expect(user.id).not.toBe(4711)
    expect(user.password_hash).not.toBe('x')
    expect(ownNames(user)).toEqual(ownNames(plain))
  })

  // asvs: 15.3.6
  it('ignores a prototype that is sent', async () => {
    const { email, ...others } = newcomer()
    const inherited = JSON.stringify({ email, status: 'Active', role_id: 1 })
    const body = `{"__proto__":${inherited},"constructor":{"prototype":${inherited}},${JSON.stringify(others).slice(1)}`
    const answer = await t.call('POST /register', { key: null, body })
    expect(answer).toMatchObject({ status: 422, body: { errors: { email: [expect.any(String)] } } })
    expect({}).not.toHaveProperty('status')
  })
})

describe('a taken name or address', () => {
  it('is 422 on its field, in any spelling; both are named at once', async () => {
    await createAccount(t, { username: 'Hedy', email: 'hedy.lamarr@example.com' })
    const spellings = [
      ['hedy', 'Hedy.Lamarr@EXAMPLE.com'],
      ['ＨＥＤＹ', 'hedy.lamarr@ｅxample.com'],
      [' HE\u200bDY ', ' HEDY.lamarr@exam\ufe0fple.com '],
    ]
    for (const [username, email] of spellings) {
      const both = await register(t, newcomer({ username, email }))
      expect(both.status, username).toBe(422)
      expect(both.body.errors).toEqual({
        username: ['The username has already been taken.'],
        email: ['The email has already been taken.'],
      })
      expect((await register(t, newcomer({ username }))).body).toMatchObject({ code: 'user_username_taken' })
      expect((await register(t, newcomer({ email }))).body).toMatchObject({ code: 'user_email_taken' })
    }
  })

  it('goes to one of many parallel registrations; none sees a database error', async () => {
    const body = newcomer()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        register(t, { ...body, email: index % 2 === 0 ? body.email : body.email.toUpperCase() }),
      ),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body: refused } of answers.filter((answer) => answer.status !== 201)) {
      expect(status).toBe(422)
      expect(Object.keys(refused.errors).sort()).toEqual(['email', 'username'])
    }
  })
})

describe('settings of registration', () => {
  it('closed, it is 404, whatever is sent, and writes nothing', async () => {
    await set({ 'registration.enabled': false })
    const before = await countAll()
    expect(await register(t, newcomer())).toMatchObject({ status: 404, body: { message: 'Resource not found.' } })
    expect((await register(t, { username: 1 })).status).toBe(404)
    expect(await countAll()).toEqual(before)
    await set({ 'registration.enabled': true })
    expect((await register(t, newcomer())).status).toBe(201)
  })

  it.each([
    ['closed', 'registration.enabled', false, 404],
    ['asking for a confirmation', 'registration.email_confirmation', true, 201],
  ])('count when the account is made: %s while a request is on its way', async (_, name, stricter, status) => {
    const { email } = newcomer()
    await set({ [name]: !stricter })
    let isBefore = true
    wrapTransactions(t, (transaction) => async (actor, work) => {
      if (isBefore) {
        isBefore = false
        await set({ [name]: stricter })
      }
      return transaction(actor, work)
    })
    expect((await register(t, newcomer({ email }))).status).toBe(status)
    expect((await findByEmail(email))?.status).toBe(status === 404 ? undefined : 'Unconfirmed')
    await set({ 'registration.enabled': true })
  })

  it('give the default role; if it was deleted, the built-in User', async () => {
    const role = await t.createRole('Newcomer', [])
    await set({ 'registration.default_role_id': role })
    expect((await registered()).role_id).toBe(role)
    await t.ctx.unguarded.deleteFrom('users').where('role_id', '=', role).execute()
    await t.ctx.unguarded.deleteFrom('user_counts').where('role_id', '=', role).execute()
    expect(await t.call(`DELETE /roles/${role}`)).toMatchObject({ status: 200 })
    expect((await registered()).role_id).toBe(2)
    await set({ 'registration.default_role_id': 2 })
  })

  it('ask for the terms: the acceptance is stored with version and time', async () => {
    await set({ 'registration.terms': true, 'registration.terms_version': '2026-01' })
    t.clock.advance({ hours: 1 })
    const user = await registered({ tos: true })
    expect(user).toMatchObject({ terms_version: '2026-01', terms_accepted_at: user.created_at })
    expect(user.terms_accepted_at).toBe(t.clock.now().toISOString().slice(0, 19).replace('T', ' '))
    const before = await countAll()
    for (const tos of [undefined, null, false, 'false', 0, 'off', [true], {}]) {
      const { status, body } = await register(t, newcomer({ tos }))
      expect(status, String(tos)).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['tos'])
    }
    expect(await countAll()).toEqual(before)
    await set({ 'registration.terms': false })
    const { terms_version, terms_accepted_at } = await registered({ tos: true })
    expect({ terms_version, terms_accepted_at }).toEqual({ terms_version: null, terms_accepted_at: null })
  })
})

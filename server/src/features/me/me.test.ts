import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createAccount, newcomer, oldPassword, rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** The same person, by API key and by session. */
async function createWithBoth() {
  const { user, key } = await createAccount(t)
  return { user, key, session: (await signIn(t, user.email)).body.token as string }
}

const routes = ['GET /me', 'PATCH /me/details', 'PATCH /me/details/auth', 'GET /me/sessions', 'DELETE /me/sessions']

describe('/me', () => {
  it('is whom the credential stands for, an API key or a session, with includes', async () => {
    const { user, key, session } = await createWithBoth()
    for (const credential of [key, session]) {
      const { status, body } = await t.call('GET /me?include=role,country', { key: credential })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ id: user.id, email: user.email, role: { name: 'User' }, country: null })
    }
    expect((await t.call('GET /me', { key: session })).text).not.toMatch(/password|hash|terms/)
    expect((await t.call('GET /me?include=secrets', { key })).status).toBe(400)
    const administrators = (await t.call(`GET /users/${user.id}`)).body
    expect((await t.call('GET /me', { key })).body).toEqual(administrators)
  })

  it.each(routes)('%s without a credential, or with one that is over, is 401', async (route) => {
    const { user, key } = await createAccount(t)
    await t.call(`PATCH /users/${user.id}`, { body: { status: 'Banned' } })
    for (const credential of [null, key, 'gs_no', 'gh_no']) {
      expect(await t.call(route, { key: credential, body: {} })).toMatchObject({
        status: 401,
        body: { message: 'Unauthenticated.' },
      })
    }
  })

  it('needs no permission, and gives none: a key without any reaches it', async () => {
    const { key } = await t.createUser({}, [])
    expect((await t.call('GET /me', { key })).status).toBe(200)
    expect((await t.call('GET /users', { key })).status).toBe(403)
  })
})

describe('GET /me/permissions', () => {
  it('lists what the credential permits: all there are, those of the role, or of them the key’s', async () => {
    const everything = (await t.call('GET /permissions?per_page=100')).body.data.map(
      (row: { name: string }) => row.name,
    )
    expect((await t.call('GET /me/permissions')).body).toEqual({ data: everything.toSorted() })
    const role_id = await t.createRole('Two rights', ['users.manage', 'users.activity'])
    const { key } = await t.createUser({ role_id })
    expect((await t.call('GET /me/permissions', { key })).body).toEqual({ data: ['users.activity', 'users.manage'] })
    const narrow = await t.createUser({ role_id }, ['users.activity', 'roles.manage'])
    expect((await t.call('GET /me/permissions', { key: narrow.key })).body).toEqual({ data: ['users.activity'] })
    expect((await t.call('GET /me/permissions', { key: null })).status).toBe(401)
  })
})

describe('PATCH /me/details', () => {
  it('changes the profile, with a key or a session, and is audited', async () => {
    const { user, key, session } = await createWithBoth()
    const body = {
      first_name: ' Ada ',
      last_name: 'L',
      phone: '1',
      address: 'x',
      birthday: '1990-12-10',
      country_id: 826,
    }
    const { status, body: answer } = await t.call('PATCH /me/details', { key: session, body })
    expect(status).toBe(200)
    expect(answer.data).toMatchObject({ ...body, first_name: 'Ada' })
    expect((await t.call('PUT /me/details', { key, body: { first_name: null } })).body.data.first_name).toBe(null)
    expect(await rowOf(t, user.id)).toMatchObject({ first_name: null, last_name: 'L' })
    const { data } = (await t.call(`GET /users/${user.id}/activity`)).body
    expect(data[0]).toMatchObject({ event: 'user.updated', actor_id: user.id })
  })

  // asvs: 8.2.3
  it('writes nothing that is not the profile’s: server-owned fields are unwritable', async () => {
    const { user, key } = await createAccount(t)
    const before = await rowOf(t, user.id)
    const body = { ...(await rowOf(t, 1)), id: 1, status: 'Banned', password: 'x', password_confirmation: 'y' }
    const own = ['first_name', 'last_name', 'phone', 'address', 'birthday', 'country_id']
    for (const name of own) delete (body as Record<string, unknown>)[name]
    expect((await t.call('PATCH /me/details', { key, body })).status).toBe(200)
    expect(await rowOf(t, user.id)).toEqual(before)
  })

  it('names every failing field at once', async () => {
    const { key } = await createAccount(t)
    const body = { first_name: 1, birthday: '2999-01-01', country_id: 999, phone: [], address: 'x'.repeat(1001) }
    const { status, body: answer } = await t.call('PATCH /me/details', { key, body })
    expect(status).toBe(422)
    expect(Object.keys(answer.errors).sort()).toEqual(Object.keys(body).sort())
  })
})

describe('/me/sessions', () => {
  // asvs: 7.4.3
  it('lists one’s own sessions alone, and ends all of them', async () => {
    const [mine, other] = [await createWithBoth(), await createWithBoth()]
    await signIn(t, mine.user.email)
    const { data } = (await t.call('GET /me/sessions', { key: mine.key })).body
    expect(data).toHaveLength(2)
    expect(data.every(({ user_id }: { user_id: number }) => user_id === mine.user.id)).toBe(true)
    expect(JSON.stringify(data)).not.toContain(mine.session)
    expect(await t.call('DELETE /me/sessions', { key: mine.session })).toMatchObject({ status: 200 })
    expect((await t.call('GET /me', { key: mine.session })).status).toBe(401)
    expect((await t.call('GET /me', { key: other.session })).status).toBe(200)
  })
})

describe('own password, email, username: current password needed', () => {
  const changes = () => {
    const { email, username, password, password_confirmation } = newcomer({ password: 'some other password' })
    return [{ email }, { username }, { password, password_confirmation: password }, { email, password_confirmation }]
  }

  // asvs: 6.2.3, 7.5.1
  it('without it, or with a wrong one, every change is 422 and nothing changes', async () => {
    const { user, key } = await createAccount(t)
    const before = await rowOf(t, user.id)
    for (const change of changes()) {
      for (const current_password of [
        undefined,
        null,
        '',
        1,
        true,
        ['x'],
        `${oldPassword} `,
        oldPassword.toUpperCase(),
      ]) {
        t.clock.advance({ minutes: 1 })
        const { status, body } = await t.call('PATCH /me/details/auth', { key, body: { ...change, current_password } })
        expect(status, JSON.stringify(current_password)).toBe(422)
        expect(body.errors).toHaveProperty('current_password')
      }
    }
    expect(await rowOf(t, user.id)).toEqual(before)
  })

  it('five wrong tries a minute, however parallel; then even the right one waits', async () => {
    const { user, key } = await createAccount(t)
    const attempt = (current_password: string) =>
      t.call('PATCH /me/details/auth', { key, body: { username: `name${user.id}`, current_password } })
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => attempt(`wrong ${index}`)))
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(5)
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(45)
    expect(refused[0]).toMatchObject({ body: { message: 'Too Many Attempts.', code: 'too_many_attempts' } })
    expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await attempt(oldPassword)).status).toBe(429)
    t.clock.advance({ minutes: 1 })
    expect((await attempt(oldPassword)).status).toBe(200)
  })

  it('they count as failed sign-ins of this network, by each name; signing in elsewhere goes on meanwhile', async () => {
    const { user, key } = await createAccount(t, { username: 'proves' })
    const body = { current_password: 'wrong' }
    for (let tries = 0; tries < 6; tries++) await t.call('PATCH /me/details/auth', { key, body })
    for (const name of [user.email, 'proves']) expect((await signIn(t, name)).status).toBe(429)
    const elsewhere = { username: user.email, password: oldPassword }
    expect((await t.call('POST /login', { key: null, body: elsewhere, ip: '198.51.100.8' })).status).toBe(200)
  })
})

it('marks the session that asks, in each list of sessions, and no other', async () => {
  const { user } = await createAccount(t)
  await t.call(`PATCH /users/${user.id}`, { body: { role_id: 1 } })
  const [key] = [(await signIn(t, user.email)).body.token, (await signIn(t, user.email)).body.token]
  const marked = async (path: string, asker: string) => {
    const { data } = (await t.call(`GET ${path}`, { key: asker })).body
    expect(data).toHaveLength(2)
    return data.filter((session: object) => 'current' in session)
  }
  const own = await marked('/me/sessions', key)
  expect(own).toMatchObject([{ current: true }])
  expect(await marked(`/users/${user.id}/sessions`, key)).toEqual(own)
  expect((await t.call(`GET /sessions/${own[0].id}`, { key })).body.data.current).toBe(true)
  expect(await marked(`/users/${user.id}/sessions`, t.adminKey)).toEqual([])
})

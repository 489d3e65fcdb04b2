import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { dumpDatabase } from '../../testing/accounts.ts'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'
import { codeIn, messageTo } from '../../testing/messages.ts'
import { newPhone, turnOnTwoFactor } from '../../testing/two-factor.ts'
import { hashPassword } from '../passwords/passwords.service.ts'
import {
  createOwner,
  createRacingApp,
  login,
  password,
  sessionsOf,
  signIn,
  statusesOf,
} from '../sessions/sessions-test-steps.ts'
import { readAudit, readRow } from '../users/users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

describe('signing in', () => {
  // asvs: 7.2.2, 7.2.3
  it('answers a token and nothing else, a new one each time, which works as a bearer', async () => {
    const user = await createOwner(t)
    const answers = [await login(t, user.email), await login(t, user.email)]
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { token: expect.stringMatching(/^gs_[A-Za-z0-9_-]{43}$/) }])
    const tokens = answers.map(({ body }) => body.token as string)
    expect(new Set(tokens).size).toBe(2)
    expect(await statusesOf(t, ...tokens)).toEqual([200, 200])
    expect((await t.call('GET /me', { key: tokens[0] as string })).body.data.id).toBe(user.id)
  })

  it('stores the token only as a SHA-256: it is in neither the database nor later answers', async () => {
    const user = await createOwner(t)
    const token = await signIn(t, user)
    const shown = (await t.call('GET /me/sessions', { key: token })).text
    const { token_hash } = (await sessionsOf(t, user.id))[0] ?? {}
    expect(token_hash).toMatch(/^[A-Za-z0-9_-]{43}$/)
    for (const text of [await dumpDatabase(t), shown]) expect(text).not.toContain(token.slice(3))
    expect(shown).not.toContain(token_hash)
    expect(await statusesOf(t, `gs_${token_hash}`, token_hash as string)).toEqual([401, 401])
  })

  // asvs: 16.3.1
  it('records last_login and who signed in from where, and does not change updated_at', async () => {
    const user = await createOwner(t)
    t.clock.advance({ days: 1 })
    await signIn(t, user, {}, { ip: '203.0.113.7', headers: { 'user-agent': 'curl/8.14.1' } })
    const after = await readRow(t, user.id)
    expect([after.last_login, after.updated_at]).toEqual(['2026-01-16 12:00:00', user.updated_at])
    const audit = await t.call(`GET /users/${user.id}/activity`)
    expect(audit.body.data).toMatchObject([
      {
        event: 'user.signed_in',
        actor_id: user.id,
        ip_address: '203.0.113.7',
        user_agent: 'curl/8.14.1',
        details: { method: 'password' },
      },
    ])
  })

  it('uses the password unchanged: not trimmed, not case-folded, not truncated', async () => {
    const long = 'ä'.repeat(50) // 100 bytes
    const [user, other] = [await createOwner(t), await createOwner(t, { password_hash: await hashPassword(long) })]
    const wrong = [` ${password}`, `${password} `, password.toUpperCase(), password.slice(0, -1)]
    for (const [index, typed] of wrong.entries()) {
      expect((await login(t, user.email, { password: typed }, { ip: `192.0.2.${index}` })).status).toBe(422)
    }
    expect((await login(t, other.email, { password: 'ä'.repeat(36) })).status).toBe(422)
    expect((await login(t, other.email, { password: long })).status).toBe(200)
  })

  // asvs: 6.2.9
  it('accepts the longest password, 256 code points outside the first plane', async () => {
    const longest = '𝄞'.repeat(256)
    const user = await createOwner(t, { password_hash: await hashPassword(longest) })
    expect((await login(t, user.email, { password: longest })).status).toBe(200)
  })

  it('refuses values that are not text with 422, every failing field at once', async () => {
    for (const bad of [null, '', 0, true, [], {}, 'nul\0', '\ud800']) {
      const { status, body } = await t.call('POST /login', { key: null, body: { username: bad, password: bad } })
      expect([bad, status, Object.keys(body.errors)]).toEqual([bad, 422, ['username', 'password']])
    }
    const missing = await t.call('POST /login', { key: null, body: {} })
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['username', 'password']])
  })
})

describe('every name of an account', () => {
  it.each([
    ['the email address', 'ida@bücher.example'],
    ['in capitals', 'IDA@BÜCHER.EXAMPLE'],
    ['with spaces around it', '  ida@bücher.example\t'],
    ['with the domain in full-width characters', 'ida@ｂücher.example'],
    ['with the domain in punycode', 'ida@xn--bcher-kva.example'],
    ['with a decomposed ü', 'ida@bu\u0308cher.example'],
    ['the username', 'Ida Straße'],
    ['the username in capitals', 'IDA STRASSE'],
    ['the username in full-width characters', 'Ｉｄａ　Ｓｔｒａße'],
    ['the username with a soft hyphen', 'ida stra\u00adße'],
  ])('signs in: %s', async (_, name) => {
    const known = await t.ctx.unguarded
      .selectFrom('users')
      .selectAll()
      .where('username', '=', 'Ida Straße')
      .executeTakeFirst()
    const user = known ?? (await createOwner(t, { email: 'Ida@Bücher.example', username: 'Ida Straße' }))
    const { body } = await login(t, name)
    expect((await t.call('GET /me', { key: body.token })).body.data.id).toBe(user.id)
  })

  it.each(['ıda@bücher.example', 'ｉda@bücher.example', 'i\u200bda@bücher.example', 'ida@bucher.example'])(
    'is not a name that only looks like it: %s',
    async (name) => {
      expect((await login(t, name)).status).toBe(422)
    },
  )

  it('that has an @ in it and is a username from before that was refused does, too, unless it is the address of somebody', async () => {
    const grace = await createOwner(t, { email: 'grace@example.com' })
    const [mimic] = [
      await createOwner(t, { username: 'GRACE@example.com' }),
      await createOwner(t, { username: 'me@home' }),
    ]
    const idOf = async (name: string) => {
      const { body } = await login(t, name)
      return (await t.call('GET /me', { key: body.token })).body.data
    }
    expect((await idOf('grace@example.com')).id).toBe(grace.id)
    expect((await idOf('me@home')).username).toBe('me@home')
    expect((await idOf(mimic.email)).id).toBe(mimic.id)
  })
})

/** What an anonymous caller sees of an answer, without what differs every time. */
const seen = ({ status, text, headers }: Answer) => {
  const { 'x-request-id': _, date: __, ...others } = headers
  return { status, text, headers: others }
}

describe('unknown, wrong, banned and unconfirmed look alike to a stranger', () => {
  it('with the wrong password: status, headers and body; with the right one the owner hears why not', async () => {
    const names = ['unknown@example.com', 'Unknown Person']
    for (const status of ['Active', 'Banned', 'Unconfirmed'] as const)
      names.push((await createOwner(t, { status })).email)
    const answers = await Promise.all(names.map((name) => login(t, name, { password: 'not the password' })))
    for (const answer of answers) expect(seen(answer)).toEqual(seen(answers[0] as Answer))
    expect([answers[0]?.status, answers[0]?.body]).toEqual([
      422,
      {
        message: 'The given data was invalid.',
        code: 'invalid_credentials',
        errors: { username: ['These credentials do not match our records.'] },
      },
    ])
    const right = await Promise.all(names.map((name) => login(t, name)))
    expect(right.map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'invalid_credentials'],
      [422, 'invalid_credentials'],
      [200, undefined],
      [403, 'account_banned'],
      [403, 'account_unconfirmed'],
    ])
    for (const { headers, body } of right.slice(3))
      expect([headers['set-cookie'], body.token]).toEqual([undefined, undefined])
  })

  it('take the same time: 60 interleaved pairs, each status against an unknown name', { retry: 2 }, async () => {
    const known = [await createOwner(t), await createOwner(t, { status: 'Banned' })]
    const timed = async (name: string, ip: string): Promise<number> => {
      const start = performance.now()
      const { status } = await login(t, name, { password: 'not the password' }, { ip })
      expect(status).toBe(422)
      return performance.now() - start
    }
    const times: [known: number, unknown: number][] = []
    for (let pair = -2; pair < 60; pair++) {
      const ip = `198.51.100.${pair + 10}`
      t.clock.advance({ minutes: 10 }) // no name is tried often enough to be refused without a check
      const taken: [number, number] = [0, 0]
      const names = [known[Math.abs(pair) % 2]?.email as string, `nobody${pair}@example.com`]
      for (const which of Math.abs(pair) % 4 < 2 ? [0, 1] : [1, 0])
        taken[which as 0 | 1] = await timed(names[which] as string, ip)
      if (pair >= 0) times.push(taken)
    }
    const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] as number
    const ratio = median(times.map(([one]) => one)) / median(times.map(([, other]) => other))
    expect(ratio).toBeGreaterThan(0.67)
    expect(ratio).toBeLessThan(1.5)
  })
})

describe('a change of the account while its password is being checked', () => {
  const next = { password: 'another quiet harbour', password_confirmation: 'another quiet harbour' }
  const changes: [what: string, request: string, body: object, status: number][] = [
    ['a ban', 'PATCH', { status: 'Banned' }, 403],
    ['a new password', 'PATCH', next, 422],
    ['a deletion', 'DELETE', {}, 422],
  ]

  it.each(changes)('leaves no session: %s', async (_, method, body, status) => {
    const { t, beforeNextTransaction } = await createRacingApp(inject('postgresUrl'))
    const user = await createOwner(t)
    beforeNextTransaction(() => t.call(`${method} /users/${user.id}`, { body }))
    const answer = await login(t, user.email)
    expect([answer.status, await sessionsOf(t, user.id)]).toEqual([status, []])
  })

  it.each(changes)('with two-factor authentication neither: %s before the challenge', async (_, method, body) => {
    const { t, beforeNextTransaction } = await createRacingApp(inject('postgresUrl'))
    const user = await createOwner(t)
    const phone = await turnOnTwoFactor(t, user.id, newPhone())
    beforeNextTransaction(() => t.call(`${method} /users/${user.id}`, { body }))
    const { challenge } = (await login(t, user.email)).body
    if (challenge !== undefined) {
      const token = codeIn(await messageTo(t, phone.e164, 'two-factor-login'))
      const second = await t.call('POST /login/2fa', { key: null, body: { challenge, token } })
      expect([403, 422]).toContain(second.status)
    }
    expect(await sessionsOf(t, user.id)).toEqual([])
  })

  it.each<[what: string, request: string, body: object, status: number, path?: string]>([
    ...changes,
    ['the end of all sessions', 'DELETE', {}, 422, '/sessions'],
    ['a removed factor', 'DELETE', {}, 422, '/2fa'],
  ])('nor between the code and the session: %s', async (_, method, body, status, path = '') => {
    const { t, beforeNextTransaction } = await createRacingApp(inject('postgresUrl'))
    const user = await createOwner(t)
    const phone = await turnOnTwoFactor(t, user.id, newPhone())
    const { challenge } = (await login(t, user.email)).body
    const token = codeIn(await messageTo(t, phone.e164, 'two-factor-login'))
    beforeNextTransaction(() => t.call(`${method} /users/${user.id}${path}`, { body }))
    const second = await t.call('POST /login/2fa', { key: null, body: { challenge, token } })
    expect([second.status, await sessionsOf(t, user.id)]).toEqual([status, []])
  })
})

it('a refused sign-in leaves its reason in the audit log, and no session and no last_login', async () => {
  const user = await createOwner(t)
  const banned = await createOwner(t, { status: 'Banned' })
  await login(t, user.email, { password: 'not the password' })
  await login(t, banned.email)
  for (const [{ id }, reason] of [
    [user, 'password'],
    [banned, 'banned'],
  ] as const) {
    const details = JSON.stringify({ reason, count: 1 })
    expect(await readAudit(t, id)).toEqual([{ event: 'user.sign_in_failed', actor_id: null, details }])
    expect([await sessionsOf(t, id), (await readRow(t, id)).last_login]).toEqual([[], null])
  }
})

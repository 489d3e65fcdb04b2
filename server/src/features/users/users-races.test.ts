import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Answer, startTestApp, type TestApp } from '../../testing/app.ts'
import { overSocket } from '../../testing/socket.ts'
import { goodPassword, readRow, userBody } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await overSocket(await startTestApp(inject('postgresUrl')))
})
afterAll(() => t.close())

/** `races` in bench/hardening has more of them. */
const rounds = 5

const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))
const tally = (answers: readonly Answer[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

// asvs: 2.3.4
describe('one name wanted by many at once', () => {
  it.each([
    ['email', ['race@example.com', 'RACE@example.com', 'race@ｅxample.com']],
    ['username', ['racer', 'RACER', 'ra\u200bcer']],
  ] as const)('goes to one of 30 new users, and the others are told that the %s is taken', async (field, spellings) => {
    const answers = await times(30, (n) => t.call('POST /users', { body: userBody({ [field]: spellings[n % 3] }) }))
    expect(tally(answers)).toEqual({ 201: 1, 422: 29 })
    const codes = new Set(answers.filter(({ status }) => status === 422).map(({ body }) => body.code))
    expect([...codes]).toEqual([`user_${field}_taken`])
    const created = answers.find(({ status }) => status === 201)?.body.data
    expect((await readRow(t, created.id))[`${field}_canonical`]).toBe(spellings[0])
  })

  it('goes to one of 20 users who want to change to it, while others are created with it', async () => {
    const users = await times(20, async () => (await t.createUser()).user)
    const email = 'wanted@example.com'
    const answers = await times(20, (n) => {
      const request = n % 4 === 0 ? 'POST /users' : `PATCH /users/${users[n]?.id}`
      return t.call(request, { body: n % 4 === 0 ? userBody({ email }) : { email } })
    })
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(tally(answers)[422]).toBe(19)
  })
})

describe('parallel edits of one user', () => {
  const edits = [
    ...[{ first_name: 'Ada' }, { last_name: 'Lovelace' }, { username: 'parallel' }, { email: 'parallel@example.com' }],
    ...[{ phone: '+44 20' }, { address: 'London' }, { birthday: '1815-12-10' }, { country_id: 826 }, { role_id: 1 }],
    { status: 'Unconfirmed' },
  ]

  it(`of different fields are all kept (${rounds} rounds)`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { user } = await t.createUser()
      const edit = (body: object) => t.call(`PATCH /users/${user.id}`, { body })
      const answers = await Promise.all([...edits, { password: goodPassword }].map(edit))
      expect(tally(answers)).toEqual({ 200: edits.length + 1 })
      const { password_hash, ...row } = await readRow(t, user.id)
      expect(row).toMatchObject(Object.assign({}, ...edits))
      expect(password_hash).toMatch(/^\$argon2id/)
      for (const piece of ['ada', 'lovelace', 'parallel']) {
        const { body } = await t.call(`GET /users?filter[search]=${piece}&filter[country_id]=826`)
        expect(body.data.map(({ id }: { id: number }) => id)).toEqual([user.id])
      }
      await t.call(`DELETE /users/${user.id}`)
    }
  })

  it('and a deletion end with no user and no 5xx', async () => {
    const { user } = await t.createUser()
    const answers = await times(20, (n) =>
      t.call(`${n === 7 ? 'DELETE' : 'PATCH'} /users/${user.id}`, { body: n === 7 ? {} : { first_name: `n${n}` } }),
    )
    expect(answers.every(({ status }) => status === 200 || status === 404)).toBe(true)
    expect((await t.call(`GET /users/${user.id}`)).status).toBe(404)
  })
})

describe('a ban and a deletion', () => {
  it.each([
    ['ban', 'PATCH', { status: 'Banned' }],
    ['deletion', 'DELETE', {}],
  ])(`(%s) leave no key alive that the user issues at the same moment (${rounds} rounds)`, async (_, method, body) => {
    for (let round = 0; round < rounds; round++) {
      const { user, key } = await t.createUser({ role_id: 1 })
      const issue = () => t.call('POST /api-keys', { key, body: { name: 'meanwhile' } })
      const end = () => t.call(`${method} /users/${user.id}`, { body })
      const answers = await times(8, (n) => (n === 4 ? end() : issue()))
      expect(answers[4]?.status).toBe(200)
      expect(answers.every(({ status }) => [200, 201, 401, 403, 404].includes(status))).toBe(true)
      await t.call(`PATCH /users/${user.id}`, { body: { status: 'Active' } })
      const left = await t.ctx.unguarded.selectFrom('api_keys').select('id').where('user_id', '=', user.id).execute()
      expect(left).toEqual([])
    }
  })
})

/** How one administrator can remove another. */
const attacks = {
  delete: ['DELETE', {}],
  ban: ['PATCH', { status: 'Banned' }],
  demote: ['PATCH', { role_id: 2 }],
  suspend: ['PUT', { status: 'Unconfirmed' }],
} as const
type Attack = keyof typeof attacks
const names = Object.keys(attacks) as Attack[]

describe('two administrators, the only ones, who remove each other in parallel', () => {
  it.each(names.flatMap((one, n) => names.slice(n).map((other) => [one, other] as const)))(
    `by %s and %s: one remains, and can act (${rounds} rounds)`,
    async (one, other) => {
      const fresh = () => t.createUser({ role_id: 1 })
      for (let round = 0; round < rounds; round++) {
        const [a, b] = [await fresh(), await fresh()]
        await t.ctx.unguarded.transaction().execute(async (db) => {
          // Only these two count, by rows and by stored counts alike.
          await sql`update users set role_id = 2 where role_id = 1 and id not in (${a.user.id}, ${b.user.id})`.execute(
            db,
          )
          await sql`delete from user_counts`.execute(db)
          await sql`insert into user_counts (role_id, status, count)
            select role_id, status, count(*) from users group by role_id, status`.execute(db)
        })
        const attack = (by: { key: string }, on: { user: { id: number } }, how: Attack) =>
          t.call(`${attacks[how][0]} /users/${on.user.id}`, { key: by.key, body: attacks[how][1] })
        const answers = await Promise.all([attack(a, b, one), attack(b, a, other)])
        expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
        expect(answers.every(({ status }) => [200, 401, 403].includes(status))).toBe(true)
        const left = await Promise.all(
          [a, b].map(({ key }) => t.call('GET /users?filter[role_id]=1&filter[status]=Active', { key })),
        )
        expect(left.map(({ status, body }) => (status === 200 ? body.meta.total : null)).filter(Boolean)).toEqual([1])
      }
      await sql`update users set role_id = 1 where id = 1`.execute(t.ctx.unguarded)
    },
  )
})

it('users who are made at once are all counted, on PostgreSQL in several rows', async () => {
  const { role_id } = (await t.createUser({ role_id: await t.createRole('Crowd', []) })).user
  await Promise.all(Array.from({ length: 40 }, () => t.createUser({ role_id })))
  expect((await t.call(`GET /users?filter[role_id]=${role_id}`)).body.meta.total).toBe(41)
  const rows = await t.ctx.unguarded.selectFrom('user_counts').selectAll().where('role_id', '=', role_id).execute()
  if (t.database.address.kind === 'sqlite') expect(rows).toHaveLength(1)
  else expect(rows.length).toBeGreaterThan(4)
})

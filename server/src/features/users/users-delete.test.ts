import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { searchPurgeJob } from '../accounts/search-purge.ts'
import { readAudit, userBody } from './users-test-steps.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const canary = 'kanarienvogel'
/** Three letters of a script that nothing else uses: a whole entry of SQLite's search index. */
const trigram = 'ԙԝԟ'
/** The word in every field that a user can have, spelt so that folding changes it. */
const marked = (n: number) => ({
  email: `${canary}${n}@example.com`,
  username: `${trigram} ${n}`,
  first_name: `Kanarienvogel ${n}`,
  last_name: `KANARIENVOGEL ${n}`,
  phone: `+49 ${canary} ${n}`,
  address: `Weg ${n}, ${canary}`.repeat(1 + (n % 9)),
})

/** Every row of every table, as one text. */
async function wholeDatabase(): Promise<string> {
  const tables = ['users', 'users_search', 'user_counts', 'api_keys', 'activity', 'roles', 'permissions']
  const rows = await Promise.all(tables.map((table) => sql`select * from ${sql.table(table)}`.execute(t.ctx.unguarded)))
  return JSON.stringify(rows).toLowerCase()
}

describe('deleting a user', () => {
  it.each([
    ['without a body', undefined],
    ['with an empty body under a JSON content type', ''],
    ['with {}', {}],
  ])('answers {"success":true} %s, and then there is no such user', async (_, body) => {
    const { user } = await t.createUser({ username: 'nevermore', status: 'Unconfirmed' })
    const answer = await t.call(`DELETE /users/${user.id}`, { body })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
    for (const method of ['GET', 'PATCH', 'PUT', 'DELETE']) {
      const again = await t.call(`${method} /users/${user.id}`, method === 'GET' ? {} : { body: {} })
      expect([again.status, again.body.code]).toEqual([404, 'not_found'])
    }
    for (const filter of ['search', 'email'].map((name) => `filter[${name}]=${user.email}`)) {
      expect((await t.call(`GET /users?${filter}`)).body.meta.total).toBe(0)
    }
    expect((await t.call('GET /users?filter[search]=nevermore')).body.data).toEqual([])
    expect((await t.call('GET /users?filter[status]=Unconfirmed')).body.meta.total).toBe(0)
  })

  it('ends their keys at the next request and deletes the rows of the keys', async () => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const other = await t.call('POST /api-keys', { key, body: { name: 'another' } })
    for (const secret of [key, other.body.data.key]) {
      expect((await t.call('GET /users', { key: secret })).status).toBe(200)
    }
    await t.call(`DELETE /users/${user.id}`)
    for (const secret of [key, other.body.data.key]) {
      expect((await t.call('GET /users', { key: secret })).status).toBe(401)
    }
    const left = await t.ctx.unguarded.selectFrom('api_keys').selectAll().where('user_id', '=', user.id).execute()
    expect(left).toEqual([])
  })

  it('never reuses an id, not even the highest, and no old key works for the next account of the name', async () => {
    const seen = new Set<number>()
    const keys: string[] = []
    for (let round = 0; round < 3; round++) {
      const { user, key } = await t.createUser({ email: 'phoenix@example.com', role_id: 1 })
      seen.add(user.id)
      keys.push(key)
      await t.call(`DELETE /users/${user.id}`)
    }
    const { body } = await t.call('POST /users', { body: userBody({ email: 'phoenix@example.com', role_id: 1 }) })
    expect(seen.size).toBe(3)
    expect(body.data.id).toBeGreaterThan(Math.max(...seen))
    for (const key of keys) expect((await t.call('GET /users', { key })).status).toBe(401)
  })

  it('leaves their jobs without their address and browser', async () => {
    const { user, key } = await t.createUser({ role_id: 1 })
    const body = { action: 'end_sessions', ids: [1], expected: 1 }
    const { data } = (await t.call('POST /users/bulk', { key, body, headers: { 'user-agent': 'Theirs/1.0' } })).body
    const from = () =>
      t.ctx.db.selectFrom('jobs').select(['ip_address', 'user_agent']).where('id', '=', data.id).executeTakeFirst()
    expect(await from()).toEqual({ ip_address: '127.0.0.1', user_agent: 'Theirs/1.0' })
    expect((await t.call(`DELETE /users/${user.id}`)).status).toBe(200)
    expect(await from()).toEqual({ ip_address: null, user_agent: null })
  })

  it('leaves audit rows that say what happened to which id', async () => {
    const { body } = await t.call('POST /users', { body: userBody(marked(1000)) })
    const { id } = body.data
    await t.call(`PATCH /users/${id}`, { body: { ...marked(1001), status: 'Unconfirmed', role_id: 1 } })
    await t.call(`DELETE /users/${id}`)
    expect((await readAudit(t, id)).map(({ event, actor_id }) => [event, actor_id])).toEqual(
      ['created', 'updated', 'role_changed', 'unconfirmed', 'deleted'].map((what) => [`user.${what}`, 1]),
    )
    expect(await wholeDatabase()).not.toContain(canary)
  })
})

describe('the remains of a deleted user', () => {
  it('contain none of their words in any table, nor in the SQLite file after VACUUM, among many other users', async () => {
    const made: number[] = []
    for (let n = 0; n < 150; n++) {
      await t.createUser({ first_name: `Stays ${n}`, address: 'Berlin '.repeat(n % 40) })
      made.push((await t.createUser(marked(n))).user.id)
    }
    expect(await wholeDatabase()).toContain(canary)
    for (const [n, id] of made.entries()) {
      if (n % 3 === 0) await t.call(`PATCH /users/${id}`, { body: marked(2000 + n) })
    }
    // In no order, so that pages of the file are split, merged and moved.
    for (const [n] of made.entries()) await t.call(`DELETE /users/${made[(n * 67) % made.length]}`)
    expect((await t.call('GET /users?filter[search]=stays')).body.meta.total).toBe(150)
    expect(await wholeDatabase()).not.toContain(canary)
    await t.ctx.jobs.runners.find(({ name }) => name === searchPurgeJob)?.drain()

    const { address } = t.database
    if (address.kind === 'postgres') return
    const file = new Sqlite(address.path)
    // SQLite leaves parts of a row where it moved it from one page to another; only VACUUM takes them away.
    file.exec('vacuum')
    expect(file.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }])
    file.close()
    const bytes = Buffer.concat(['', '-wal'].map((suffix) => readFileSync(address.path + suffix)))
    expect(bytes.includes('Stays 149')).toBe(true)
    expect(bytes.toString('latin1').toLowerCase().split(canary).length - 1).toBe(0)
    expect(bytes.includes(trigram)).toBe(false)
  })
})

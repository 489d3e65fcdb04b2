import { spawnSync } from 'node:child_process'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { RootDb } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { searchTextOf } from '../features/accounts/users.search.ts'
import { createInstallation, type Installation, newKey, type Outcome, root } from '../testing/server-process.ts'
import { syntheticUsers } from './synthetic-users.ts'

let place: Installation
let db: RootDb
let first: Outcome
beforeAll(async () => {
  place = await createInstallation(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  await (await place.start()).stop()
  first = await place.run(['seed', '--users', '2000', '--random-seed', '7'])
  db = openDatabase(place.database.address, () => {})
})
afterAll(async () => {
  await db?.destroy()
  await place?.remove()
})

interface Person {
  email: string
  username: string | null
  first_name: string | null
  last_name: string | null
  phone: string | null
  address: string | null
  country_id: number | null
  status: string
}

/** The fields that do not depend on the date of the seeding. */
const toPerson = ({ email, username, first_name, last_name, phone, address, country_id, status }: Person): Person => ({
  email,
  username,
  first_name,
  last_name,
  phone,
  address,
  country_id,
  status,
})

/** The synthetic users of the database in the order of their creation. */
const seeded = async () => await db.selectFrom('users').selectAll().where('role_id', '=', 2).orderBy('id').execute()

const expected = (count: number): Person[] =>
  [...syntheticUsers({ count, randomSeed: 7, now: new Date() })].map(toPerson)

it('creates the requested number of users, the same ones for the same seed on every database', async () => {
  expect(first).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^2000 users were made in [\d.]+ s \(--random-seed 7\)\.\n$/),
  })
  expect((await seeded()).map(toPerson)).toEqual(expected(2000))
})

it('prints its progress in plain lines without a terminal', () => {
  expect(first.stderr).toBe('50 % (1000 of 2000)\n100 % (2000 of 2000)\n')
})

it('continues where the last seeding ended, without duplicates', async () => {
  const { stdout } = await place.run(['seed', '--users', '250', '--random-seed', '7'])
  expect(stdout).toContain('250 users were made')
  expect((await seeded()).map(toPerson)).toEqual(expected(2250))
})

it('updates the totals and the search index like every other way to create users', async () => {
  const toLine = (row: { role_id: number; status: string; count: number }) =>
    `${row.role_id} ${row.status} ${row.count}`
  const counted = db.selectFrom('users').select(['role_id', 'status', (eb) => eb.fn.countAll<number>().as('count')])
  const kept = db
    .selectFrom('user_counts')
    .select(['role_id', 'status', (eb) => eb.fn.sum<number>('count').as('count')])
  const sums = await kept.groupBy(['role_id', 'status']).execute()
  expect(sums.map(toLine).sort()).toEqual((await counted.groupBy(['role_id', 'status']).execute()).map(toLine).sort())

  const index = await sql<{ rowid: number; text: string }>`select rowid, text from users_search`.execute(db)
  const texts = new Map(index.rows.map(({ rowid, text }) => [rowid, text]))
  const users = await db.selectFrom('users').selectAll().execute()
  expect(texts.size).toBe(users.length)
  expect(users.filter((user) => texts.get(user.id) !== searchTextOf(user))).toEqual([])
})

it('creates users that the API counts, finds and sorts', async () => {
  const server = await place.start()
  const all = await seeded()
  const { body } = await server.call('GET /users?per_page=1&filter[role_id]=2')
  expect(body.meta.total).toBe(all.length)
  for (const { id, email, first_name } of [all[0], all[1234], all.at(-1)].filter((user) => user !== undefined)) {
    const found = await server.call(`GET /users?filter[search]=${encodeURIComponent(email.toUpperCase())}`)
    expect(found.body.data).toMatchObject([{ id, email, first_name }])
  }
  const sorted = await server.call('GET /users?sort=-created_at&per_page=100&filter[role_id]=2')
  const newest = all
    .map(({ created_at }) => created_at)
    .sort()
    .reverse()
    .slice(0, 100)
  expect(sorted.body.data.map((user: { created_at: string }) => user.created_at)).toEqual(newest)
  await server.stop()
})

// asvs: 6.3.2
it('gives no user a known password', async () => {
  const hashes = new Set((await seeded()).slice(0, 2000).map(({ password_hash }) => password_hash))
  expect([...hashes]).toEqual([expect.stringMatching(/^\$argon2id\$/)])
})

const hasTerminal = spawnSync('script', ['--version']).status === 0

it.runIf(hasTerminal)('shows a redrawn bar on a terminal', async () => {
  const command = `node '${root}/server/bin/gatehouse.js' seed --users 2000 --random-seed 8`
  const { code, stdout } = await place.spawn('script', ['-qec', command, '/dev/null']).ended
  expect(code).toBe(0)
  const half = '#'.repeat(15) + '.'.repeat(15)
  const bars = `\r[${half}] 50 % (1000 of 2000)\r[${'#'.repeat(30)}] 100 % (2000 of 2000)\r\n`
  expect(stdout).toContain(bars)
})

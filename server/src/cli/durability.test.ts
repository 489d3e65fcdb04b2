import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { RootDb } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { searchTextOf } from '../features/accounts/users.search.ts'
import { createMigrated, type Installation, newKey, type ServerProcess } from '../testing/server-process.ts'

const rounds = 3
/** Each client writes without a pause. */
const userIds = Array.from({ length: 12 }, (_, index) => 2 + index)

let place: Installation
let db: RootDb
beforeAll(async () => {
  place = await createMigrated(inject('postgresUrl'), { GATEHOUSE_ADMIN_API_KEY: newKey() })
  const server = await place.start()
  expect(await place.run(['seed', '--users', String(userIds.length)])).toMatchObject({ code: 0 })
  for (const id of userIds) expect((await server.call(`PATCH /users/${id}`, { body: edit(0) })).status).toBe(200)
  await server.stop()
  db = openDatabase(place.database.address, () => {})
})
afterAll(async () => {
  await db?.destroy()
  await place?.remove()
})

/** Everything that the server has answered with success, over all rounds, and the one pending edit of each user. */
const roles = new Set<string>()
const edits = new Map(userIds.map((id) => [id, { answered: 0, sent: 0 }]))

/** The edit with a number: a name, which is searched for, and a status, which is counted. */
const edit = (number: number) => ({
  first_name: `Edit ${number}`,
  status: ['Active', 'Unconfirmed', 'Banned'][number % 3] as string,
})

/** Writes with every client in parallel until the server has given this many answers; then kills it during the rest. */
async function writeUntilKilled(server: ServerProcess, enough: number): Promise<void> {
  let answers = 0
  let killed = false
  const noteAnswer = (): void => {
    if (++answers < enough || killed) return
    killed = true
    server.process.kill('SIGKILL')
  }
  const write = async (userId: number): Promise<void> => {
    const edited = edits.get(userId) as { answered: number; sent: number }
    for (;;) {
      const name = `Role ${userId} ${roles.size} ${answers} ${enough}`
      expect((await server.call('POST /roles', { body: { name } })).status).toBe(201)
      roles.add(name)
      noteAnswer()
      const number = ++edited.sent
      expect((await server.call(`PATCH /users/${userId}`, { body: edit(number) })).status).toBe(200)
      edited.answered = number
      noteAnswer()
    }
  }
  const untilGone = (userId: number) =>
    write(userId).catch((error) => {
      if (!killed || !(error instanceof TypeError)) throw error // fetch throws a TypeError if nobody answers
    })
  await Promise.all(userIds.map(untilGone))
  expect(await server.stop('SIGKILL')).toMatchObject({ code: null, stderr: '' })
}

async function expectEverythingThere(): Promise<void> {
  const names = await db.selectFrom('roles').select('name').execute()
  const there = new Set(names.map(({ name }) => name))
  expect([...roles].filter((name) => !there.has(name))).toEqual([])

  for (const user of await db.selectFrom('users').selectAll().where('id', 'in', userIds).execute()) {
    const edited = edits.get(user.id) as { answered: number; sent: number }
    const { first_name, status } = user
    const possible = [edited.answered, edited.sent]
    expect(possible.map(edit)).toContainEqual({ first_name, status })
    // Answered or not, what is there after a start must stay.
    edited.answered = possible.find((number) => edit(number).first_name === first_name) as number
    const indexed = await sql<{ text: string }>`select text from users_search where rowid = ${user.id}`.execute(db)
    expect(indexed.rows).toEqual([{ text: searchTextOf(user) }])
  }

  const kept = db
    .selectFrom('user_counts')
    .select(['role_id', 'status', (eb) => eb.fn.sum<number>('count').as('count')])
  const counts = (await kept.groupBy(['role_id', 'status']).execute()).filter(({ count }) => count > 0).map(toLine)
  const counted = await db
    .selectFrom('users')
    .select(['role_id', 'status', (eb) => eb.fn.countAll<number>().as('count')])
    .groupBy(['role_id', 'status'])
    .execute()
  expect(counts.sort()).toEqual(counted.map(toLine).sort())
}

const toLine = (row: { role_id: number; status: string; count: number }) => `${row.role_id} ${row.status} ${row.count}`

async function expectSoundFile(): Promise<void> {
  const { rows } = await sql`pragma integrity_check`.execute(db)
  expect(rows).toEqual([{ integrity_check: 'ok' }])
  await sql`insert into users_search (users_search) values ('integrity-check')`.execute(db) // throws if it is not
}

it(`keeps every answered write through ${rounds} kill -9 amid parallel writes, and starts again without repair`, async () => {
  for (let round = 0; round < rounds; round++) {
    const server = await place.start()
    await expectEverythingThere()
    const before = roles.size
    await writeUntilKilled(server, 20 + ((round * 17) % 60))
    expect(roles.size).toBeGreaterThan(before)
  }
  const server = await place.start()
  await expectEverythingThere()
  if (inject('postgresUrl') === null) await expectSoundFile()
  // The API, too, returns what was answered.
  const { body } = await server.call('GET /roles')
  expect(body.meta.total).toBeGreaterThanOrEqual(2 + roles.size)
  expect(await server.stop()).toMatchObject({ code: 0, stderr: '' })
})

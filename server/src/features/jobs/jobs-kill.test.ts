import { expect, inject, it, onTestFinished } from 'vitest'
import type { RootDb } from '../../db/database.ts'
import { openDatabase } from '../../db/open.ts'
import { endLeases } from '../../testing/leases.ts'
import { createMigrated, type Installation, newKey, type ServerProcess } from '../../testing/server-process.ts'
import { until } from '../../testing/until.ts'

/* The long form, with twenty kills, is a case of bench/hardening. */

const rows = 15_000

const jobOf = async ({ call }: ServerProcess, id: number) => (await call(`GET /jobs/${id}`)).body.data

/** Kills the server once the job has gone on a little, and starts it again. */
async function killIn(server: ServerProcess, id: number, after: number, place: Installation, db: RootDb) {
  await until(async () => (await jobOf(server, id)).done >= after, `row ${after}`)
  await server.stop('SIGKILL')
  await endLeases(db)
  return place.start()
}

it('kill -9 in the middle of an import and of a bulk action applies every row once, with exact totals', async () => {
  const key = newKey()
  const place = await createMigrated(inject('postgresUrl'), {
    GATEHOUSE_ADMIN_API_KEY: key,
    GATEHOUSE_RATE_LIMIT: 'off',
  })
  onTestFinished(place.remove)
  let server = await place.start()
  const db = openDatabase(place.database.address, () => {})
  onTestFinished(() => db.destroy())
  const file = `email,username\n${Array.from({ length: rows }, (_, at) => `killed${at}@example.com,killed${at}`).join('\n')}\n`
  const response = await fetch(`${server.url}/api/users/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
    body: file,
  })
  const { data: job } = (await response.json()) as { data: { id: number } }
  server = await killIn(server, job.id, 500, place, db)
  server = await killIn(server, job.id, 2_000, place, db)
  await until(async () => (await jobOf(server, job.id)).status === 'done', 'the import')
  expect(await jobOf(server, job.id)).toMatchObject({ total: rows, done: rows, created: rows, failed: 0, skipped: 0 })

  const body = { action: 'ban', filter: { search: 'killed' }, expected: rows }
  const bulk = (await server.call('POST /users/bulk', { body })).body.data
  server = await killIn(server, bulk.id, 500, place, db)
  await until(async () => (await jobOf(server, bulk.id)).status === 'done', 'the ban')
  expect(await jobOf(server, bulk.id)).toMatchObject({ total: rows, done: rows, updated: rows, skipped: 0 })
  expect((await server.call('GET /users?filter[status]=Banned')).body.meta.total).toBe(rows)
  await server.stop()

  const counted = await db
    .selectFrom('users')
    .select((eb) => ['status', eb.fn.countAll<number>().as('users')])
    .groupBy('status')
    .orderBy('status')
    .execute()
  expect(counted).toEqual([
    { status: 'Active', users: 1 },
    { status: 'Banned', users: rows },
  ])
  const audited = await db
    .selectFrom('activity')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where('event', '=', 'user.banned')
    .executeTakeFirstOrThrow()
  expect(audited.rows).toBe(rows)
  const texts = await db
    .selectFrom('user_counts')
    .select((eb) => eb.fn.sum<number>('count').as('users'))
    .executeTakeFirstOrThrow()
  expect(Number(texts.users)).toBe(rows + 1)
})

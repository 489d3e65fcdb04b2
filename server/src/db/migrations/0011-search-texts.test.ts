import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { isPostgres } from '../dialect.ts'
import { type Report, rebuildSearchTexts } from './0011-search-texts.ts'

/** Users with the texts that 0.1.0 kept: each field for itself, with its accents. */
async function createOld(count: number): Promise<TestApp> {
  const t = await createTestApp(inject('postgresUrl'))
  await t.createUser({ username: 'lebron', first_name: 'LeBrón', last_name: 'Łukaszewicz' })
  for (let n = 1; n < count; n++) await t.createUser({ first_name: 'Diana', last_name: 'Bednarczyk' })
  await sql`update users_search set text = 'old text'`.execute(t.ctx.unguarded)
  return t
}
const run = (t: TestApp, report: Report = () => {}) =>
  t.ctx.transaction(systemActor, ({ db }) =>
    rebuildSearchTexts(db as unknown as Kysely<never>, isPostgres(t.ctx.unguarded), report),
  )
const find = async (t: TestApp, term: string): Promise<[status: number, total: number]> => {
  const { status, body } = await t.call(`GET /users?filter[search]=${encodeURIComponent(term)}`)
  return [status, body.meta?.total]
}

it('writes the text of every user anew, and says how far it is', async () => {
  const t = await createOld(5)
  const reports: unknown[] = []
  await run(t, (...report) => reports.push(report))
  expect(reports).toEqual([['Rebuilding the search index', 6, 6]])
  expect(await find(t, 'diana bednar')).toEqual([200, 4])
  expect(await find(t, 'lebron lukaszewicz')).toEqual([200, 1])
  expect(await find(t, 'old text')).toEqual([200, 0])
})

it('leaves an index that follows what changes later', async () => {
  const t = await createOld(2)
  await run(t)
  const { user } = await t.createUser({ first_name: 'Zoë', last_name: 'Nové' })
  expect(await find(t, 'zoe nove')).toEqual([200, 1])
  await t.call(`PATCH /users/${user.id}`, { body: { first_name: 'Mia' } })
  expect([await find(t, 'zoe nove'), await find(t, 'mia nove')]).toEqual([
    [200, 0],
    [200, 1],
  ])
  await t.call(`DELETE /users/${user.id}`)
  expect(await find(t, 'mia nove')).toEqual([200, 0])
})

it('keeps nobody from searching meanwhile', async () => {
  const t = await createOld(3)
  let isDone = false
  const answers: unknown[] = []
  const done = run(t).finally(() => {
    isDone = true
  })
  do {
    answers.push(await find(t, 'old'))
    await nextTurn() // requests that are injected would leave the event loop no time for the disk
  } while (!isDone)
  await done
  // The old index until the new one is there, and never half of it.
  expect(answers.filter((answer) => !['[200,4]', '[200,0]'].includes(JSON.stringify(answer)))).toEqual([])
})

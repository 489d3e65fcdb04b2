import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { isPostgres } from '../../db/dialect.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { conditions } from './two-factor-filter.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  for (let n = 0; n < 50; n++) await t.createUser()
})
afterAll(() => t.close())

/** How the database counts the users of a condition. */
async function planOf(condition: string): Promise<string> {
  const count = `select count(*) from users where ${condition}`
  const { unguarded: db } = t.ctx
  if (!isPostgres(db)) return JSON.stringify((await sql.raw(`explain query plan ${count}`).execute(db)).rows)
  return db.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction)
    return JSON.stringify((await sql.raw(`explain ${count}`).execute(transaction)).rows)
  })
}

it.each([
  ['on', 'users_with_factor'],
  ['off', 'users_without_factor'],
  ['missing', 'users_without_factor'],
])('who has a second factor and who lacks it is counted in an index: %s', async (name, index) => {
  expect(await planOf(conditions[name] ?? '')).toContain(index)
})

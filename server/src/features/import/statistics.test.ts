import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/app.ts'
import { importFile } from '../../testing/jobs.ts'

it.skipIf(inject('postgresUrl') === null)('after many users PostgreSQL plans by what is there now', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const known = async () => {
    const { rows } = await sql<{ rows: number }>`
      select cast(reltuples as int) as rows from pg_class where relname in ('users', 'users_search')`.execute(
      t.ctx.unguarded,
    )
    return rows.map(({ rows }) => rows)
  }
  const file = (count: number, name: string) =>
    `email\n${Array.from({ length: count }, (_, at) => `${name}${at}@example.com\n`).join('')}`
  const before = await known()
  await importFile(t, file(1_200, 'dry'), { query: '?dry_run=1' })
  await importFile(t, file(20, 'few'))
  expect(await known()).toEqual(before)
  await importFile(t, file(1_200, 'many'))
  expect(await known()).toEqual([1_221, 1_221])
})

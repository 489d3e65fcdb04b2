import { sql } from 'kysely'
import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/app.ts'

const postgresUrl = inject('postgresUrl')

it.skipIf(postgresUrl === null)('a table that grows is analyzed, once for what it has grown', async () => {
  const t = await createTestApp(postgresUrl)
  const db = t.ctx.unguarded
  const run = () => t.ctx.jobs.runners.find(({ name }) => name === 'maintenance.statistics')?.drain()
  const known = async () => {
    const { rows } = await sql<{
      reltuples: number
    }>`select reltuples from pg_class where oid = 'roles'::regclass`.execute(db)
    return rows[0]?.reltuples
  }
  const grow = (from: number, to: number) =>
    sql`insert into roles (name, name_canonical, removable, created_at, updated_at)
      select 'r' || n, 'r' || n, 1, '2026-01-01 00:00:00', '2026-01-01 00:00:00' from generate_series(${from}::int, ${to}::int) n`.execute(
      db,
    )

  await sql`analyze roles`.execute(db)
  await grow(1, 5_000)
  expect(await known()).toBe(2)
  await run()
  expect(await known()).toBe(5_002)
  await grow(5_001, 6_000)
  await run()
  expect(await known()).toBe(5_002)
  await grow(6_001, 20_000)
  await run()
  expect(await known()).toBe(20_002)
})

import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/app.ts'
import { isPostgres, plannedEachTime } from '../dialect.ts'
import { inTransaction } from '../transaction.ts'
import { executeBehind } from '../write-behind.ts'

const postgres = inject('postgresUrl')

async function start(): Promise<TestApp['ctx']['unguarded']> {
  const { ctx } = await createTestApp(postgres)
  await ctx.unguarded.schema
    .createTable('things')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .execute()
  return ctx.unguarded
}

const insert = (id: number) => sql`insert into things (id) values (${id})`
const count = async (db: TestApp['ctx']['unguarded']) =>
  (await sql<{ n: number }>`select count(*) as n from things`.execute(db)).rows[0]?.n

describe('writes whose result nobody needs', () => {
  it('are there for the next statement, and after the commit', async () => {
    const db = await start()
    const seen = await inTransaction(db, async (tx) => {
      await executeBehind(tx, insert(1))
      await executeBehind(tx, insert(2))
      return sql<{ id: number }>`select id from things order by id`.execute(tx)
    })
    expect(seen.rows).toEqual([{ id: 1 }, { id: 2 }])
    expect(await count(db)).toBe(2)
  })

  it('undo the transaction if they fail, and it tells their error', async () => {
    const db = await start()
    const failing = (after: 'commit' | 'statement') =>
      db.transaction().execute(async (tx) => {
        await executeBehind(tx, insert(1))
        await executeBehind(tx, insert(1))
        if (after === 'statement') await insert(2).execute(tx)
      })
    const code = isPostgres(db) ? '23505' : 'SQLITE_CONSTRAINT_PRIMARYKEY'
    await expect(failing('commit')).rejects.toMatchObject({ code })
    await expect(failing('statement')).rejects.toMatchObject({ code })
    expect(await count(db)).toBe(0)
  })

  it('are undone with a transaction that throws', async () => {
    const db = await start()
    const failing = db.transaction().execute(async (tx) => {
      await executeBehind(tx, insert(1))
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await count(db)).toBe(0)
    await executeBehind(db, insert(1))
    expect(await count(db)).toBe(1)
  })
})

describe.skipIf(postgres === null)('named statements on PostgreSQL', () => {
  const insertAndRead = (db: TestApp['ctx']['unguarded'], id: number) =>
    inTransaction(db, async (tx) => {
      const { rows } = await sql<Record<string, unknown>>`select * from things order by id`.execute(tx)
      await executeBehind(tx, insert(id))
      return rows
    })
  const prepared = async (db: TestApp['ctx']['unguarded']) =>
    (await sql<{ name: string }>`select name from pg_prepared_statements where statement like '%things%'`.execute(db))
      .rows

  it('are planned again after a migration changed what they return', async () => {
    const db = await start()
    for (const id of [1, 2, 3]) await insertAndRead(db, id)
    expect((await prepared(db)).length).toBeGreaterThan(0)
    await sql`alter table things add column name text`.execute(db)
    expect(await insertAndRead(db, 4)).toContainEqual({ id: 3, name: null })
  })

  it('outside of a transaction are sent again where one has been forgotten', async () => {
    const db = await start()
    const read = () => sql`select id from things order by id`.execute(db)
    for (let nth = 0; nth < 3; nth++) await read()
    expect((await prepared(db)).length).toBeGreaterThan(0)
    await sql`deallocate all`.execute(db)
    expect((await read()).rows).toEqual([])
  })

  it('are none where a queue is read, so that no plan of an empty one is kept', async () => {
    const db = await start()
    const first = sql`select id from things order by id limit 1 ${plannedEachTime}`
    for (let nth = 0; nth < 3; nth++) await first.execute(db)
    expect(await prepared(db)).toEqual([])
  })

  it('are sent without a name once a server or pooler has forgotten one; nothing is lost or done twice', async () => {
    const db = await start()
    for (const id of [1, 2, 3]) await insertAndRead(db, id)
    await sql`deallocate all`.execute(db)
    for (const id of [4, 5, 6]) await insertAndRead(db, id)
    expect(await count(db)).toBe(6)
    expect(await prepared(db)).toEqual([])
  })
})

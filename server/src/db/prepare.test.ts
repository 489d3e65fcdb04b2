import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startTestApp, type TestApp } from '../testing/app.ts'
import { isPostgres } from './dialect.ts'
import { preparedQueries, prepareOne, prepareUpdate } from './prepare.ts'
import { inTransaction } from './transaction.ts'

/* Importing the app has prepared every query that there is. */

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

/** Tables of a few rows that are read whole. */
const small = new Set(['settings', 'credential_version', 'json_each'])

/** The tables that the query reads without an index. */
async function scanned(text: string, count: number): Promise<string[]> {
  const { unguarded: db } = t.ctx
  if (!isPostgres(db)) {
    const plan = await db.executeQuery<{ detail: string }>(
      CompiledQuery.raw(`explain query plan ${text}`, Array(count).fill(1)),
    )
    return plan.rows.flatMap(({ detail }) => {
      const [, table] = /^SCAN (?!CONSTANT ROW)(\w+)(?! USING (COVERING )?INDEX)/.exec(detail) ?? []
      return table === undefined ? [] : [table]
    })
  }
  return db.transaction().execute(async (transaction) => {
    await transaction.executeQuery(CompiledQuery.raw('set local enable_seqscan = off'))
    const plan = await transaction.executeQuery<{ 'QUERY PLAN': string }>(
      CompiledQuery.raw(`explain (generic_plan) ${text}`),
    )
    return plan.rows.flatMap((row) => /Seq Scan on (\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [])
  })
}

it('every prepared query finds its rows by an index', async () => {
  expect(preparedQueries.length).toBeGreaterThan(10)
  for (const build of preparedQueries) {
    const placeholders = Array.from({ length: Math.max(0, build.length - 1) }, () => 1)
    const { sql, parameters } = build(t.ctx.db, ...placeholders).compile()
    const without = (await scanned(sql, parameters.length)).filter((table) => !small.has(table))
    expect(without, sql).toEqual([])
  }
})

it('notices a query that finds them by none', async () => {
  const { sql, parameters } = t.ctx.db.selectFrom('users').select('id').where('address', '=', '1').compile()
  expect(await scanned(sql, parameters.length)).toEqual(['users'])
})

const findName = prepareOne((db, id: number) => db.selectFrom('users').select('first_name').where('id', '=', id))
const change = prepareUpdate('users')

it('prepared statements see what their own transaction wrote, and a rollback takes it back', async () => {
  const { unguarded: db } = t.ctx
  const before = await findName(db, 1)
  const failing = inTransaction(db, async (tx) => {
    await change(tx, 1, { first_name: 'Within', last_name: undefined })
    expect(await findName(tx, 1)).toEqual({ first_name: 'Within' })
    throw new Error('taken back')
  })
  await expect(failing).rejects.toThrow('taken back')
  expect(await findName(db, 1)).toEqual(before)
})

it('refuses prepared statements on the handle of a transaction that is over', async () => {
  const handle = await inTransaction(t.ctx.unguarded, async (tx) => ({ tx }))
  await expect((async () => change(handle.tx, 1, { first_name: 'Too late' }))()).rejects.toThrow('already committed')
  await expect((async () => findName(handle.tx, 1))()).rejects.toThrow('already committed')
})

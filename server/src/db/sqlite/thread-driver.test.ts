import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Db, RootDb } from '../database.ts'
import { compileSql } from '../dialect.ts'
import { backgroundOf } from '../direct.ts'
import { isUniqueViolation } from '../failures.ts'
import { openDatabase } from '../open.ts'
import { executeBehind, executeForEach } from '../write-behind.ts'
import { pagesBeforeOwnCopy } from './log-copier.ts'
import { WriterThread } from './writer-thread.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-thread-'))
/** Some 100 ms of work for one thread. */
const long = sql`with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n`

let db: RootDb
let background: RootDb
beforeAll(async () => {
  db = openDatabase({ kind: 'sqlite', path: join(folder, 'test.db') }, () => {})
  background = backgroundOf(db)
  await sql`create table numbers (n integer primary key)`.execute(db)
})
beforeEach(async () => {
  await sql`delete from numbers`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const insert = (on: Db, n: number) => sql`insert into numbers values (${n})`.execute(on)
const insertBehind = (on: Db, n: number) =>
  executeBehind(on, { compile: () => compileSql(on, sql`insert into numbers values (${n})`) })
const insertEach = (on: Db, ...values: number[]) =>
  executeForEach(
    on,
    'insert into numbers values (?)',
    values.map((n) => [n]),
  )
const numbers = async (on: Db = db) =>
  (await sql<{ n: number }>`select n from numbers order by n`.execute(on)).rows.map(({ n }) => n)

it('commits what others see at once, and counts changes', async () => {
  await background.transaction().execute(async (tx) => {
    expect((await insert(tx, 1)).numAffectedRows).toBe(1n)
    await insertBehind(tx, 2)
    expect(await numbers(tx)).toEqual([1, 2])
    expect(await numbers()).toEqual([])
  })
  expect(await numbers()).toEqual([1, 2])
})

it('keeps the event loop free', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await background.transaction().execute((tx) => long.execute(tx))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(12)
})

it('stands in one line with the writers of the event loop', async () => {
  const order: string[] = []
  const write = (on: RootDb, n: number) =>
    on.transaction().execute(async (tx) => {
      order.push(`begin ${n}`)
      await insert(tx, n)
      await long.execute(tx)
      order.push(`end ${n}`)
    })
  await Promise.all([write(background, 1), write(db, 2), write(background, 3)])
  const pairs = [order.slice(0, 2), order.slice(2, 4), order.slice(4)]
  expect(pairs.sort()).toEqual([1, 2, 3].map((n) => [`begin ${n}`, `end ${n}`]))
  expect(await numbers()).toEqual([1, 2, 3])
})

it('copies its log to the database off the event loop, which leaves that to it until the thread has ended', async () => {
  const path = join(folder, 'log.db')
  const own = openDatabase({ kind: 'sqlite', path }, () => {})
  const thread = backgroundOf(own)
  const pagesBeforeCheckpoint = () =>
    own.transaction().execute(async (tx) => (await sql`pragma wal_autocheckpoint`.execute(tx)).rows)
  await sql`create table numbers (n integer primary key)`.execute(own)
  const size = statSync(path).size
  const rows = Array.from({ length: 20_000 }, (_, n) => n)
  await thread.transaction().execute((tx) => insertEach(tx, ...rows))
  expect(await pagesBeforeCheckpoint()).toEqual([{ wal_autocheckpoint: 0 }])
  await thread.transaction().execute(async () => {
    expect(statSync(path).size).toBeGreaterThan(size + 100_000)
  })
  await thread.destroy()
  expect(await pagesBeforeCheckpoint()).toEqual([{ wal_autocheckpoint: pagesBeforeOwnCopy }])
  await own.destroy()
})

it.each([
  ['the thread', () => background],
  ['the event loop', () => db],
])('runs a statement for each row on %s', async (_what, on) => {
  await on()
    .transaction()
    .execute((tx) => insertEach(tx, 1, 2, 3))
  expect(await numbers()).toEqual([1, 2, 3])
})

it.each([
  ['a statement', insert],
  ['a statement that nobody waits for', insertBehind],
  ['one row of many', (on: Db, n: number) => insertEach(on, 7, n, 8)],
])('takes everything back where %s fails, with the code of the error', async (_what, write) => {
  const failed = background.transaction().execute(async (tx) => {
    await insert(tx, 1)
    await write(tx, 1)
  })
  await expect(failed).rejects.toSatisfy(isUniqueViolation)
  expect(await numbers()).toEqual([])
  await background.transaction().execute((tx) => insert(tx, 3))
  expect(await numbers()).toEqual([3])
})

it('runs nothing outside of a transaction', async () => {
  await expect(insert(background, 1)).rejects.toThrow('only transactions')
})

it('loses the transaction with its thread, and starts another one', async () => {
  const begun = Promise.withResolvers<void>()
  const lost = background.transaction().execute(async (tx) => {
    await insert(tx, 1)
    begun.resolve()
    await long.execute(tx)
    await insert(tx, 2)
  })
  const refused = expect(lost).rejects.toMatchObject({ code: 'SQLITE_CANTOPEN' })
  await begun.promise
  await background.destroy() // ends the thread
  await refused
  expect(await numbers()).toEqual([])
})

it('what cannot be sent to the thread leaves the answers of others as they are', async () => {
  const thread = new WriterThread(join(folder, 'test.db'))
  onTestFinished(() => thread.end())
  const unsendable = thread.ask('select ?', [() => {}])
  const rows = async (value: number) => (await thread.ask('select ? as value', [value])).rows
  const answers = Promise.all([rows(1), rows(2)])
  await expect(unsendable).rejects.toThrow()
  expect(await answers).toEqual([[{ value: 1 }], [{ value: 2 }]])
})

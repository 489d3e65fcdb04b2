import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { RootDb } from '../database.ts'
import { openDatabase } from '../open.ts'
import { pagesBeforeOwnCopy } from './log-copier.ts'

const pageBytes = 4_096

let folder: string
let path: string
let db: RootDb
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-log-'))
  path = join(folder, 'test.db')
  db = openDatabase({ kind: 'sqlite', path }, () => {})
  await sql`create table texts (n integer primary key, text text not null)`.execute(db)
})
afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

/** Rows that take a page each. */
const write = (rows: number) =>
  db.transaction().execute(async (tx) => {
    for (let row = 0; row < rows; row++)
      await sql`insert into texts (text) values (${'x'.repeat(pageBytes - 300)})`.execute(tx)
  })

it('the log is copied to the database without a commit that does it', async () => {
  const { rows } = await db.transaction().execute((tx) => sql`pragma wal_autocheckpoint`.execute(tx))
  expect(rows).toEqual([{ wal_autocheckpoint: pagesBeforeOwnCopy }])
  const before = statSync(path).size
  // If the thread starts late, its first copy is short; only later writes trigger another one.
  for (let rows = 0; statSync(path).size <= before + 1_000 * pageBytes; rows += 50) {
    expect(rows, 'the thread has not copied the log').toBeLessThan(pagesBeforeOwnCopy / 2)
    await write(50)
    await setTimeout(50)
  }
})

it('the log does not grow without end beside writers that never rest, and nothing is lost', async () => {
  const transactions = 800
  for (let times = 0; times < transactions; times++) await write(60)
  expect(statSync(`${path}-wal`).size).toBeLessThan(2 * pagesBeforeOwnCopy * pageBytes)
  await db.destroy()
  const other = new Sqlite(path)
  expect(other.prepare('select count(*) from texts').pluck().get()).toBe(transactions * 60)
  expect(other.pragma('integrity_check')).toEqual([{ integrity_check: 'ok' }])
  other.close()
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isUnavailable } from '../failures.ts'
import { createWorkers, type Workers } from './workers.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-workers-'))
const path = join(folder, 'test.db')
/** Some 100 ms of work for one thread. */
const long =
  'with recursive n (i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) as n from n'

let writer: Sqlite.Database
let workers: Workers
beforeAll(() => {
  writer = new Sqlite(path)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table numbers (n integer)')
  workers = createWorkers(path)
})
afterAll(async () => {
  await workers.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

it('see what was committed before they were asked, however often', async () => {
  const insert = writer.prepare('insert into numbers values (?)')
  for (let n = 1; n <= 100; n++) {
    insert.run(n)
    expect(await workers.read('select max(n) as n from numbers where n > ?', [0])).toEqual([{ n }])
  }
})

it('keep the event loop free, and answer more questions than there are of them', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const answers = await Promise.all(Array.from({ length: 12 }, () => workers.read(long, [])))
  clearInterval(timer)
  expect(answers).toEqual(Array.from({ length: 12 }, () => [{ n: 1_000_000 }]))
  expect(turns).toBeGreaterThan(12)
})

it('cannot write, and pass errors on with their codes', async () => {
  await expect(workers.read('delete from numbers returning n', [])).rejects.toMatchObject({ code: 'SQLITE_READONLY' })
  await expect(workers.read('select no_column from numbers', [])).rejects.toMatchObject({ code: 'SQLITE_ERROR' })
})

it('remember a query that took long twice, or very long once', () => {
  expect(workers.isSlow('select 1')).toBe(false)
  workers.noteTime('select 1', 10)
  expect(workers.isSlow('select 1')).toBe(false)
  workers.noteTime('select 1', 10)
  expect([workers.isSlow('select 1'), workers.isSlow('select 2')]).toEqual([true, false])
  workers.noteTime('select 2', 100)
  expect(workers.isSlow('select 2')).toBe(true)
})

it('tell whom they leave without an answer that the database is away', async () => {
  const others = createWorkers(path)
  const asked = Array.from({ length: 5 }, () => others.read(long, []).catch((error: unknown) => error))
  await others.close()
  const errors = [...(await Promise.all(asked)), await others.read(long, []).catch((error: unknown) => error)]
  expect(errors.map(isUnavailable)).toEqual(errors.map(() => true))
})

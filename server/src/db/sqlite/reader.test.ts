import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Reader } from './reader.ts'
import { openReader, StatementCache } from './statements.ts'

let folder: string
let writer: Sqlite.Database
let reader: Reader
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-reader-'))
  const path = join(folder, 'test.db')
  writer = new Sqlite(path)
  writer.pragma('journal_mode = WAL')
  writer.exec('create table numbers (n integer)')
  reader = new Reader(new StatementCache(openReader(path)))
})
afterEach(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const insert = () => writer.exec('insert into numbers values (1)')
const count = () => reader.prepare('select count(*) as n from numbers').all()

it('sees each commit at once while no turn is shared', () => {
  expect(count()).toEqual([{ n: 0 }])
  insert()
  expect(count()).toEqual([{ n: 1 }])
})

it('reads one state in a shared turn, from the first read on, and the next turn what was committed meanwhile', async () => {
  reader.shareReadTransaction()
  insert()
  expect(count()).toEqual([{ n: 1 }])
  insert()
  reader.shareReadTransaction()
  expect(count()).toEqual([{ n: 1 }])
  await nextTurn()
  expect(count()).toEqual([{ n: 2 }])
})

it('reads anew in a shared turn when told that this process has committed', () => {
  reader.shareReadTransaction()
  expect(count()).toEqual([{ n: 0 }])
  insert()
  reader.endSharedRead()
  expect(count()).toEqual([{ n: 1 }])
  insert()
  expect(count()).toEqual([{ n: 1 }])
})

it('leaves no transaction open at the end of a turn, though reads failed in it', async () => {
  reader.shareReadTransaction()
  count()
  expect(() => reader.prepare('select no_column from numbers')).toThrow('no_column')
  await nextTurn()
  expect(writer.pragma('wal_checkpoint(TRUNCATE)')).toMatchObject([{ busy: 0 }])
  insert()
  expect(count()).toEqual([{ n: 1 }])
})

it('goes on where SQLite has ended the transaction of itself, as it does when the disk fails', async () => {
  reader.shareReadTransaction()
  count()
  reader.prepare('rollback').run()
  await nextTurn()
  insert()
  expect(count()).toEqual([{ n: 1 }])
})

it('can be closed in a shared turn', async () => {
  reader.shareReadTransaction()
  count()
  reader.close()
  await nextTurn()
})

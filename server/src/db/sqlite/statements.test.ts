import Sqlite from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { StatementCache } from './statements.ts'

it('keeps statements by their text, but not those of a list of many values', () => {
  const db = new Sqlite(':memory:')
  onTestFinished(() => {
    db.close()
  })
  const cache = new StatementCache(db)
  const ofValues = (count: number) => `select 1 where 1 in (${Array.from({ length: count }, () => '?')})`
  expect(cache.prepare(ofValues(20))).toBe(cache.prepare(ofValues(20)))
  expect(cache.prepare(ofValues(2_000))).not.toBe(cache.prepare(ofValues(2_000)))
})

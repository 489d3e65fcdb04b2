import pg from 'pg'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../testing/databases.ts'
import { findApart } from '../direct.ts'
import { openDatabase } from '../open.ts'
import { stateOf } from './concurrent-indexes.ts'

describe.runIf(inject('postgresUrl'))('an index that another node builds', () => {
  it('never looks broken, whenever one asks', async () => {
    const { url, remove } = await createTestDatabase(inject('postgresUrl'))
    onTestFinished(remove)
    const db = openDatabase({ kind: 'postgres', url }, () => {})
    onTestFinished(() => db.destroy())
    const openApart = findApart(db)
    if (openApart === undefined) throw new Error('PostgreSQL has a pool')
    const lookers = await Promise.all([openApart(), openApart(), openApart()])
    onTestFinished(() => Promise.all(lookers.map((looker) => looker.end())).then(() => {}))
    const builder = new pg.Client(url)
    await builder.connect()
    onTestFinished(() => builder.end())

    const seen = new Set<string>()
    for (let round = 0; round < 150; round++) {
      await builder.query('drop index if exists users_again')
      let isBuilt = false
      const built = builder.query('create index concurrently users_again on users (id)').then(() => {
        isBuilt = true
      })
      const look = async (looker: (typeof lookers)[number]) => {
        while (!isBuilt) seen.add(await stateOf(looker, 'users_again'))
      }
      await Promise.all([built, ...lookers.map(look)])
    }
    expect([...seen]).toContain('building')
    expect([...seen]).not.toContain('broken')
  })
})

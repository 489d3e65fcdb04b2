import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { recordRoles, roleIds } from '../../testing/events.ts'
import { countRowsRead } from '../../testing/rows-read.ts'
import { sequenceAll } from '../activity/sequencer.ts'
import { eventsBetween, findHead, latestEvents, lookAhead } from './read-events.ts'

const common = 3 * lookAhead
const rare = ['permission.created']

let t: TestApp
let head: number
/** The positions of the rare events: at both ends of many others, and in the middle. */
let places: number[]
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
  const record = async (name: string) => {
    expect((await t.call('POST /permissions', { body: { name, display_name: name } })).status).toBe(201)
  }
  await record('first')
  await recordRoles(t, roleIds(common))
  await record('second')
  await recordRoles(t, roleIds(common))
  await record('third')
  await sequenceAll(t.ctx)
  head = await findHead(t.ctx.db)
  places = [head - 2 * common - 2, head - common - 1, head]
})

afterAll(() => t.close())

const positions = (rows: readonly { position: number }[]) => rows.map(({ position }) => position)

it('finds events that match however far they lie apart, each once and in order', async () => {
  const { db } = t.ctx
  expect(positions(await eventsBetween(db, 0, head, rare, 10))).toEqual(places)
  expect(positions(await eventsBetween(db, 0, head, rare, 2))).toEqual(places.slice(0, 2))
  expect(positions(await eventsBetween(db, places[0] as number, head - 1, rare, 10))).toEqual(places.slice(1, 2))
  expect(positions(await latestEvents(db, head, rare, 10))).toEqual(places)
  expect(positions(await latestEvents(db, head, rare, 2))).toEqual(places.slice(1))
})

it('fills a page from both sides of where it looks first', async () => {
  const from = (places[1] as number) - lookAhead - 3
  const types = ['role.updated', ...rare]
  const expected = Array.from({ length: lookAhead + 10 }, (_, at) => from + at + 1)
  expect(positions(await eventsBetween(t.ctx.db, from, head, types, lookAhead + 10))).toEqual(expected)
  const last = Array.from({ length: lookAhead + 10 }, (_, at) => head - lookAhead - 9 + at)
  expect(positions(await latestEvents(t.ctx.db, head, types, lookAhead + 10))).toEqual(last)
})

it.skipIf(inject('postgresUrl') === null)('reads a page of frequent events without reading the whole log', async () => {
  const tables = ['activity', 'activity_chain']
  await inTransaction(t.ctx.unguarded, async (db) => {
    const after = places[0] as number
    const page = () => eventsBetween(db, after, head, ['role.updated'], 100)
    expect(await countRowsRead(db, tables, page)).toBeLessThanOrEqual(3 * lookAhead)
    const latest = () => latestEvents(db, head, ['role.updated'], 100)
    expect(await countRowsRead(db, tables, latest)).toBeLessThanOrEqual(3 * lookAhead)
  })
})

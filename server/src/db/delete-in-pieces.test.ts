import { expect, inject, it, onTestFinished } from 'vitest'
import { createTestApp } from '../testing/app.ts'
import { whileLocked } from '../testing/lock-waits.ts'
import { deleteInPieces } from './delete-in-pieces.ts'

it('deletes what meets the condition, in several pieces', async () => {
  const { ctx, close } = await createTestApp(inject('postgresUrl'))
  onTestFinished(close)
  const db = ctx.unguarded
  const expiresMs = (at: number) => (at < 2_500 ? 1 : 100)
  const tries = Array.from({ length: 2_600 }, (_, at) => ({ name: `try ${at}`, count: 1, expires_ms: expiresMs(at) }))
  for (let start = 0; start < tries.length; start += 500)
    await db
      .insertInto('tries')
      .values(tries.slice(start, start + 500))
      .execute()
  await deleteInPieces(db, 'tries', ['name'], (is) => is('expires_ms', '<', 50))
  expect(await db.selectFrom('tries').select('name').where('name', 'like', 'try %').execute()).toHaveLength(100)
})

it.runIf(inject('postgresUrl'))('leaves a row that somebody changes meanwhile', async () => {
  const { ctx, close, database } = await createTestApp(inject('postgresUrl'))
  onTestFinished(close)
  const db = ctx.unguarded
  await db.insertInto('tries').values({ name: 'used again', count: 1, expires_ms: 1 }).execute()
  const { deleting } = await whileLocked(
    database.url,
    "update tries set expires_ms = 100 where name = 'used again'",
    async (untilWaiting) => {
      const deleting = deleteInPieces(db, 'tries', ['name'], (is) => is('expires_ms', '<', 50))
      await untilWaiting(1)
      return { deleting }
    },
  )
  await deleting
  expect(await db.selectFrom('tries').select('expires_ms').execute()).toEqual([{ expires_ms: 100 }])
})

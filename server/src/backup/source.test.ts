import { expect, inject, it } from 'vitest'
import { assertNoneRuns } from '../nodes/nodes.ts'
import { createTestApp } from '../testing/app.ts'
import { openResting } from './source.ts'

it.each([
  ['was seen five seconds ago', -5_000, true],
  ['was killed a minute ago', -60_000, false],
  ['was killed while its clock was an hour ahead', 3_600_000, false],
])('a node on another machine that %s: does it run? %s ms, %s', async (_, sinceMs, runs) => {
  const { ctx, database } = await createTestApp(inject('postgresUrl'))
  const node = { id: 'other', host: 'elsewhere', process: 1, version: '1', started_at: '2026-01-01 00:00:00' }
  await ctx.unguarded
    .insertInto('nodes')
    .values({ ...node, seen_ms: Date.now() + sinceMs })
    .execute()
  const asking = [
    () => openResting(database.address).then((snapshot) => snapshot.close()),
    () => assertNoneRuns(ctx.unguarded),
  ]
  for (const ask of asking) {
    if (runs) await expect(ask()).rejects.toThrow('process 1 on elsewhere')
    else await ask()
  }
})

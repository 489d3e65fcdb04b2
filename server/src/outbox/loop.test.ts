import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../testing/until.ts'
import { createLoop } from './loop.ts'

it('goes on after a time that has passed during a run', async () => {
  let runs = 0
  const loop = createLoop(
    async () => {
      runs++
      if (runs === 1) {
        loop.within(5)
        await pause(50)
      }
      if (runs < 4) loop.within(20)
    },
    1_000,
    () => {},
  )
  await loop.now()
  await until(() => runs === 4, 'the runs that were wanted', 2_000)
  loop.stop()
})

it('tries again after a failure, also of a run during which a time has passed', async () => {
  let runs = 0
  const failures: unknown[] = []
  const loop = createLoop(
    async () => {
      runs++
      if (runs > 1) return
      loop.within(5)
      await pause(50)
      throw new Error('away')
    },
    20,
    (error) => failures.push(error),
  )
  expect(await loop.now()).toBe(false)
  await until(() => runs >= 2, 'the next run', 2_000)
  expect(failures).toHaveLength(1)
  loop.stop()
})

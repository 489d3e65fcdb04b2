import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { until } from '../../../testing/until.ts'
import { createTurns } from './turns.ts'

/** Who went, in their order. */
function line(wait: () => Promise<void>, count: number): number[] {
  const gone: number[] = []
  for (let at = 0; at < count; at++) wait().then(() => gone.push(at))
  return gone
}

it('lets four go in a turn of the event loop, in the order in which they came', async () => {
  const gone = line(
    createTurns(() => false),
    11,
  )
  await Promise.resolve()
  expect(gone).toEqual([0, 1, 2, 3])
  const seen: number[] = []
  for (let times = 0; times < 4; times++) {
    await turn()
    seen.push(gone.length)
  }
  expect(seen.every((count, at) => count - (seen[at - 1] ?? 4) <= 4)).toBe(true)
  expect(gone).toEqual(Array.from({ length: 11 }, (_, at) => at))
})

it('lets one go at once after a rest', async () => {
  const wait = createTurns(() => false)
  const first = line(wait, 5)
  await until(() => first.length === 5)
  await turn()
  await turn()
  const second = line(wait, 1)
  await Promise.resolve()
  expect(second).toEqual([0])
})

it('lets at most four go in a millisecond while requests come in', async () => {
  const gone = line(
    createTurns(() => true),
    10,
  )
  await Promise.resolve()
  const begun = performance.now()
  const before = gone.length
  await until(() => gone.length === 10)
  const tookMs = performance.now() - begun
  expect(tookMs).toBeGreaterThanOrEqual(Math.ceil((10 - before) / 4) - 0.5)
})

import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createTurns } from './turns.ts'

it('lets so many go in a turn of the event loop, in the order in which they came', async () => {
  const wait = createTurns(3)
  const gone: number[] = []
  for (let at = 0; at < 8; at++) wait().then(() => gone.push(at))
  await Promise.resolve()
  expect(gone).toEqual([0, 1, 2])
  const seen: number[] = []
  for (let times = 0; times < 4; times++) {
    await turn()
    seen.push(gone.length)
  }
  expect(seen.every((count, at) => count - (seen[at - 1] ?? 3) <= 3)).toBe(true)
  expect(gone).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  await turn()
  wait().then(() => gone.push(8))
  await Promise.resolve()
  expect(gone.at(-1)).toBe(8)
})

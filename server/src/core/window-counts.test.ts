import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createWindowCounts } from './window-counts.ts'

const windowMs = 60_000

/** The counts of two processes that tell each other. */
function createPair() {
  let now = 10 * windowMs + 1
  const listeners: ((data: never) => void)[] = []
  const join = (own: number) =>
    createWindowCounts(
      windowMs,
      () => new Date(now),
      {
        count: 1,
        tell: (_topic, data) => listeners[1 - own]?.(data as never),
        hear: (_topic, listen) => void listeners.push(listen),
      },
      'test',
    )
  return {
    here: join(0),
    there: join(1),
    advanceMs: (ms: number) => {
      now += ms
    },
  }
}

it('processes count together', async () => {
  const { here, there } = createPair()
  here.add('ada', 2)
  here.add('bob', 1)
  await turn()
  expect([there.add('ada', 1), there.add('bob', 1)]).toEqual([3, 2])
})

it('what a process adds in a window that begins within a turn counts in the others, too', async () => {
  const { here, there, advanceMs } = createPair()
  here.add('ada', 1)
  advanceMs(windowMs)
  here.add('ada', 5)
  there.add('bob', 1) // it is in the new window as well
  await turn()
  expect(there.add('ada', 1)).toBe(6)
})

import type { Siblings } from './siblings.ts'
import { type Clock, isWindowOver } from './time.ts'

type Caller = string | number | null

/** A count that one process added to, with the end of its window in epoch milliseconds. */
interface Added {
  readonly windowEnd: number
  readonly caller: Caller
  readonly amount: number
}

/** Beyond this many callers in one window, new ones share one count, so that memory is bounded. */
const maxCallers = 100_000

export interface WindowCounts {
  /** Adds to a caller's count in the current window, unless the sum would exceed `most`. Returns the sum. */
  readonly add: (caller: Caller, amount: number, most?: number) => number
  /** Seconds from the last `add` to the end of its window. */
  readonly secondsLeft: () => number
}

/**
 * Counts by caller in fixed windows. They protect the machine, not a secret, so each node counts for itself; its processes
 * count together, in the name of `topic`.
 */
export function createWindowCounts(windowMs: number, clock: Clock, siblings: Siblings, topic: string): WindowCounts {
  const counts = new Map<Caller, number>()
  let now = 0
  let windowEnd = 0
  /** What the other processes have not been told: one message for each turn of the event loop. */
  let untold: Added[] = []

  const addHere = (caller: Caller, amount: number, most: number): number => {
    const key = counts.has(caller) || counts.size < maxCallers ? caller : 'everybody else'
    const sum = (counts.get(key) ?? 0) + amount
    if (sum <= most) counts.set(key, sum)
    return sum
  }

  const tell = (caller: Caller, amount: number): void => {
    if (untold.push({ windowEnd, caller, amount }) > 1) return
    setImmediate(() => {
      siblings.tell(topic, untold satisfies readonly Added[])
      untold = []
    })
  }

  siblings.hear(topic, (told: readonly Added[]) => {
    for (const { windowEnd: end, caller, amount } of told) {
      if (end < windowEnd) continue
      if (end > windowEnd) counts.clear()
      windowEnd = end
      addHere(caller, amount, Number.POSITIVE_INFINITY)
    }
  })

  return {
    add: (caller, amount, most = Number.POSITIVE_INFINITY) => {
      now = clock().getTime()
      if (isWindowOver(now, windowEnd, windowMs)) {
        counts.clear()
        // All processes have the same windows.
        windowEnd = siblings.count === 0 ? now + windowMs : (Math.floor(now / windowMs) + 1) * windowMs
      }
      const sum = addHere(caller, amount, most)
      if (siblings.count > 0 && sum <= most) tell(caller, amount)
      return sum
    },
    secondsLeft: () => Math.ceil((windowEnd - now) / 1000),
  }
}

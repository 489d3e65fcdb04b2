import type { Clock } from '../core/time.ts'
import { atOnce } from './message.ts'

const oneMoreEveryMs = 60_000

/** How many messages are sent at a time: fewer once the server refuses a further connection. */
export interface Slots {
  readonly count: () => number
  /** The server works for no more than these. After each minute one more is tried. */
  readonly limit: (count: number) => void
}

export function createSlots(clock: Clock): Slots {
  let limit = atOnce
  let sinceMs = 0
  return {
    count: () => {
      const now = clock().getTime()
      sinceMs = Math.min(sinceMs, now) // the clock may be set back
      return Math.min(atOnce, limit + Math.floor((now - sinceMs) / oneMoreEveryMs))
    },
    limit: (count) => {
      limit = count
      sinceMs = clock().getTime()
    },
  }
}

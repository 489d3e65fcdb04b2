import type { Clock } from '../core/time.ts'

/** After this many consecutive failures sending pauses, longer each time. */
const failuresInRow = 10
const firstRestMs = 5_000
const longestRestMs = 300_000

/** Decides when bulk mail pauses because the server accepts nothing. */
export interface Rest {
  /** Notes the outcome of an attempt. */
  readonly note: (isTaken: boolean) => void
  /** When sending may go on, in milliseconds since 1970; in the past while there is no rest. */
  readonly until: () => number
}

export function createRest(clock: Clock, onRest: (seconds: number) => void): Rest {
  let failures = 0
  let lengthMs = 0
  let untilMs = 0
  return {
    until: () => untilMs,
    note: (isTaken) => {
      failures = isTaken ? 0 : failures + 1
      if (isTaken) lengthMs = 0
      const now = clock().getTime()
      if (failures < failuresInRow || now < untilMs) return
      lengthMs = Math.min(Math.max(firstRestMs, lengthMs * 2), longestRestMs)
      untilMs = now + lengthMs
      onRest(lengthMs / 1000)
    },
  }
}

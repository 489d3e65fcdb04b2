import type { Clock } from '../core/time.ts'

/** After this many consecutive failures sending pauses, longer each time. */
const failuresInRow = 10
const firstPauseMs = 5_000
const longestPauseMs = 300_000

/** Decides when bulk mail pauses because the server accepts nothing. */
export interface Backoff {
  /** Notes the outcome of an attempt. */
  readonly note: (isTaken: boolean) => void
  /** When sending may go on, in milliseconds since 1970; in the past while nothing pauses. */
  readonly until: () => number
}

export function createBackoff(clock: Clock, onPause: (seconds: number) => void): Backoff {
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
      lengthMs = Math.min(Math.max(firstPauseMs, lengthMs * 2), longestPauseMs)
      untilMs = now + lengthMs
      onPause(lengthMs / 1000)
    },
  }
}

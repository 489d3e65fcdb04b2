import { type Clock, isWindowOver } from '../core/time.ts'

/** After this many consecutive failures sending pauses, longer each time. */
const failuresInRow = 10
const firstPauseMs = 5_000
const longestPauseMs = 300_000

/** Decides when bulk mail pauses because the server accepts nothing. */
export interface Backoff {
  /** Notes the outcome of an attempt. */
  readonly note: (isTaken: boolean) => void
  /** When sending may go on, in milliseconds since 1970; 0 while nothing pauses. */
  readonly until: () => number
}

export function createBackoff(clock: Clock, onPause: (seconds: number) => void): Backoff {
  let failures = 0
  let lengthMs = 0
  let untilMs = 0
  const isOver = () => isWindowOver(clock().getTime(), untilMs, longestPauseMs)
  return {
    until: () => (isOver() ? 0 : untilMs),
    note: (isTaken) => {
      failures = isTaken ? 0 : failures + 1
      if (isTaken) lengthMs = 0
      if (failures < failuresInRow || !isOver()) return
      lengthMs = Math.min(Math.max(firstPauseMs, lengthMs * 2), longestPauseMs)
      untilMs = clock().getTime() + lengthMs
      onPause(lengthMs / 1000)
    },
  }
}

import { type Clock, isWindowOver } from '../core/time.ts'
import type { Verdict } from './attempt.ts'

interface Limit {
  /** After this many in a row, sending pauses. */
  readonly inRow: number
  /** The longest pause. Each is twice as long as the one before. */
  readonly longestMs: number
}
const firstPauseMs = 5_000
const failures: Limit = { inRow: 10, longestMs: 300_000 }
/**
 * Many unknown addresses, or greylisting, are no reason to pause: the other recipients would wait for them. But some servers
 * refuse each recipient because they trust the sender no more.
 */
const refusals: Limit = { inRow: 200, longestMs: 60_000 }

/** Decides when bulk mail pauses because the server accepts nothing. */
export interface Backoff {
  /** Notes an attempt. */
  readonly note: (verdict: Verdict) => void
  /** When sending may go on, in milliseconds since 1970; 0 while nothing pauses. */
  readonly until: () => number
}

export function createBackoff(clock: Clock, onPause: (seconds: number) => void): Backoff {
  let failed = 0
  let refused = 0
  let lengthMs = 0
  let untilMs = 0
  const isOver = () => isWindowOver(clock().getTime(), untilMs, failures.longestMs)

  function pause({ longestMs }: Limit): void {
    refused = 0
    lengthMs = Math.min(Math.max(firstPauseMs, lengthMs * 2), longestMs)
    untilMs = clock().getTime() + lengthMs
    onPause(lengthMs / 1000)
  }

  return {
    until: () => (isOver() ? 0 : untilMs),
    note: (verdict) => {
      if (verdict === 'taken') lengthMs = failed = refused = 0
      else if (verdict === 'failed') failed++
      else {
        failed = 0
        refused++
      }
      if (!isOver()) return
      if (failed >= failures.inRow) pause(failures)
      else if (refused >= refusals.inRow) pause(refusals)
    },
  }
}

/** After this many failures in a row the next request waits a little, so that a dead server costs others little. */
const failuresInRow = 20
const stepMs = 10
const longestPauseMs = 1_000

/** How long to wait with an endpoint that fails again and again. */
export interface Backoff {
  readonly note: (isTaken: boolean) => void
  /** Milliseconds until the next request; 0 for at once. */
  readonly pauseMs: () => number
}

export function createBackoff(): Backoff {
  let failures = 0
  let pausedUntil = 0
  return {
    note: (isTaken) => {
      failures = isTaken ? 0 : failures + 1
      pausedUntil = performance.now() + Math.min(longestPauseMs, Math.max(0, failures - failuresInRow) * stepMs)
    },
    pauseMs: () => Math.max(0, pausedUntil - performance.now()),
  }
}

import type { Clock } from '../core/time.ts'

export interface TestClock {
  readonly now: Clock
  /** Turns the clock on. */
  readonly advance: (by: { seconds?: number; minutes?: number; hours?: number; days?: number }) => void
}

/** A clock that stands still until it is turned. */
export function createClock(): TestClock {
  let time = Date.parse('2026-01-15T12:00:00Z')
  return {
    now: () => new Date(time),
    advance: ({ seconds = 0, minutes = 0, hours = 0, days = 0 }) => {
      time += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    },
  }
}

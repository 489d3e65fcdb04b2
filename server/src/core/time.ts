/** The current time. Tests set it by hand. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

/**
 * How far the clocks of several nodes may differ. What ends or begins later than it can, by more than this, was written before a
 * clock was set back.
 */
export const clockToleranceMs = 60_000

/**
 * True if a window of time is over, or ends later than it can: then the clock was set back, and whoever used it up would be shut
 * out for as long. `toleranceMs` is how far the clocks of several nodes may differ.
 */
export const isWindowOver = (nowMs: number, endsMs: number, windowMs: number, toleranceMs = 0): boolean =>
  nowMs >= endsMs || endsMs - nowMs > windowMs + toleranceMs

/** The only format of timestamps, in the database and in answers: `YYYY-MM-DD HH:MM:SS`, UTC. It sorts as text. */
export const toTimestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

/** 24 hours. */
export const dayMs = 24 * 3_600_000

/** The timestamp of so many times 24 hours ago. */
export const daysAgo = (clock: Clock, days: number): string => toTimestamp(new Date(clock().getTime() - days * dayMs))

/** The moment of a timestamp, in epoch milliseconds. */
export const fromTimestamp = (timestamp: string): number => Date.parse(`${timestamp.replace(' ', 'T')}Z`)

/** Today's date in UTC, `YYYY-MM-DD`. */
export const toDate = (date: Date): string => date.toISOString().slice(0, 10)

const datePattern = /^(?!0000)\d{4}-\d{2}-\d{2}$/
const timestampPattern = /^(?!0000)\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/

/** True for an existing date, as `YYYY-MM-DD`; there was no year 0. */
export function isDate(text: string): boolean {
  if (!datePattern.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && toDate(date) === text
}

/** True for an existing moment, as `YYYY-MM-DD HH:MM:SS`. */
export function isTimestamp(text: string): boolean {
  if (!timestampPattern.test(text)) return false
  const date = new Date(`${text.replace(' ', 'T')}Z`)
  return !Number.isNaN(date.getTime()) && toTimestamp(date) === text
}

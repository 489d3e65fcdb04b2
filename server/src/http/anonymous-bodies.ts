import { networkOf } from '../core/addresses.ts'
import { tooManyAttempts } from '../core/errors.ts'
import type { Siblings } from '../core/siblings.ts'
import type { Clock } from '../core/time.ts'
import { createWindowCounts } from '../core/window-counts.ts'

/**
 * How many bytes of bodies anonymous callers at one network address may send within a window: thousands of ordinary
 * requests. Reading that much takes less than half a second of the window, and bounds the memory that such an address can
 * occupy.
 */
const maxBytes = 16 * 1024 * 1024
const windowMs = 60_000

/** Counts bytes of a body against the sender's address; throws `too_many_attempts` beyond the allowance. */
export type BodyBudget = (ip: string, bytes: number) => void

export function createBodyBudget(clock: Clock, siblings: Siblings): BodyBudget {
  const spent = createWindowCounts(windowMs, clock, siblings, 'bodies')
  return (ip, bytes) => {
    if (spent.add(networkOf(ip), bytes, maxBytes) > maxBytes) throw tooManyAttempts(spent.secondsLeft(), maxBytes)
  }
}

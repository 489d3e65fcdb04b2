import { callerOf } from '../core/addresses.ts'
import { errors, ServiceError } from '../core/errors.ts'
import { noSiblings, type Siblings, shareCounts } from '../core/siblings.ts'
import { type Clock, isWindowOver } from '../core/time.ts'

/**
 * How many bytes of bodies anonymous callers at one network address may send within a window: thousands of ordinary
 * requests. Reading that much takes less than half a second of the window, and bounds the memory that such an address can
 * occupy.
 */
const maxBytes = 16 * 1024 * 1024
const windowMs = 60_000

/** Beyond this many addresses in one window, new ones share one allowance, so that memory is bounded. */
const maxAddresses = 100_000

/** Counts bytes of a body against the sender's address; throws `too_many_attempts` beyond the allowance. */
export type BodyBudget = (ip: string, bytes: number) => void

export function createBodyBudget(clock: Clock, siblings: Siblings = noSiblings): BodyBudget {
  const spent = new Map<string, number>()
  let windowEnd = 0
  const keyOf = (caller: string) => (spent.has(caller) || spent.size < maxAddresses ? caller : 'everybody else')
  const shared = shareCounts<string>(siblings, 'bodies', windowMs, (end, caller, bytes) => {
    if (end < windowEnd) return
    if (end > windowEnd) spent.clear()
    windowEnd = end
    const key = keyOf(caller)
    spent.set(key, (spent.get(key) ?? 0) + bytes)
  })
  return (ip, bytes) => {
    const now = clock().getTime()
    if (isWindowOver(now, windowEnd, windowMs)) {
      spent.clear()
      windowEnd = shared.windowEndAfter(now)
    }
    const caller = callerOf(ip)
    const key = keyOf(caller)
    const sum = (spent.get(key) ?? 0) + bytes
    if (sum > maxBytes) {
      const retryAfterSeconds = Math.ceil((windowEnd - now) / 1000)
      throw new ServiceError('too_many_attempts', 429, errors.too_many_attempts().message, { retryAfterSeconds })
    }
    spent.set(key, sum)
    shared.share(windowEnd, caller, bytes)
  }
}

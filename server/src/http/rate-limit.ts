import type { RateLimit } from '../config.ts'
import { noSiblings, type Siblings, shareCounts } from '../core/siblings.ts'
import { type Clock, isWindowOver } from '../core/time.ts'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  retryAfterSeconds: number
}

export type RateLimiter = (key: string | number | null) => Allowance

/** Beyond this many callers in one window, new ones share one allowance, so that memory is bounded. */
const maxKeys = 100_000

/**
 * Counts requests per caller in fixed windows. It protects the machine, not a secret, so each node counts for itself; the
 * processes of one node count together, in the name of `topic`.
 */
export function createRateLimiter(
  { requests, windowMs }: RateLimit,
  clock: Clock,
  siblings: Siblings = noSiblings,
  topic = '',
): RateLimiter {
  const counts = new Map<string | number | null, number>()
  let windowEnd = 0
  const add = (caller: string | number | null, amount: number): number => {
    const key = counts.has(caller) || counts.size < maxKeys ? caller : 'everybody else'
    const count = (counts.get(key) ?? 0) + amount
    counts.set(key, count)
    return count
  }
  const shared = shareCounts<string | number | null>(siblings, topic, windowMs, (end, caller, amount) => {
    if (end < windowEnd) return
    if (end > windowEnd) counts.clear()
    windowEnd = end
    add(caller, amount)
  })
  return (caller) => {
    const now = clock().getTime()
    if (isWindowOver(now, windowEnd, windowMs)) {
      counts.clear()
      windowEnd = shared.windowEndAfter(now)
    }
    const count = add(caller, 1)
    shared.share(windowEnd, caller, 1)
    return {
      allowed: count <= requests,
      limit: requests,
      remaining: Math.max(0, requests - count),
      retryAfterSeconds: Math.ceil((windowEnd - now) / 1000),
    }
  }
}

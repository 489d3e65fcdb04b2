import type { RateLimit } from '../config.ts'
import type { Clock } from '../core/time.ts'

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

/** Counts requests per caller in fixed windows. It protects the machine, not a secret, so each node counts for itself. */
export function createRateLimiter({ requests, windowMs }: RateLimit, clock: Clock): RateLimiter {
  const counts = new Map<string | number | null, number>()
  let windowEnd = 0
  return (caller) => {
    const now = clock().getTime()
    if (now >= windowEnd) {
      counts.clear()
      windowEnd = now + windowMs
    }
    const key = counts.has(caller) || counts.size < maxKeys ? caller : 'everybody else'
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return {
      allowed: count <= requests,
      limit: requests,
      remaining: Math.max(0, requests - count),
      retryAfterSeconds: Math.ceil((windowEnd - now) / 1000),
    }
  }
}

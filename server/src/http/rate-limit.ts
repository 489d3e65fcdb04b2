import type { RateLimit } from '../config.ts'
import type { Siblings } from '../core/siblings.ts'
import type { Clock } from '../core/time.ts'
import { createWindowCounts } from '../core/window-counts.ts'

export interface Allowance {
  allowed: boolean
  limit: number
  remaining: number
  /** Seconds until the window ends. */
  retryAfterSeconds: number
}

export type RateLimiter = (key: string | number | null) => Allowance

/** Counts requests by caller; `topic` names the counts among the processes of this node. */
export function createRateLimiter(
  { requests, windowMs }: RateLimit,
  clock: Clock,
  siblings: Siblings,
  topic: string,
): RateLimiter {
  const counts = createWindowCounts(windowMs, clock, siblings, topic)
  return (caller) => {
    const count = counts.add(caller, 1)
    return {
      allowed: count <= requests,
      limit: requests,
      remaining: Math.max(0, requests - count),
      retryAfterSeconds: counts.secondsLeft(),
    }
  }
}

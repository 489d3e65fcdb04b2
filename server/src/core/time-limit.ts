/**
 * Runs `work` with a signal that aborts after `ms` milliseconds. Unlike with `AbortSignal.timeout`, what the signal's listeners
 * hold can be freed as soon as the work is done, not only when its time is over.
 */
export async function withTimeLimit<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), ms)
  try {
    return await work(limit.signal)
  } finally {
    clearTimeout(timer)
  }
}

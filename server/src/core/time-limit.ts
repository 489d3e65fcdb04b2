/**
 * Runs `work` with a signal that aborts after `ms` milliseconds; `restart` begins another time limit. Unlike with
 * `AbortSignal.timeout`, what the signal's listeners hold can be freed as soon as the work is done, not only when its time is over.
 */
export async function withTimeLimit<T>(
  ms: number,
  work: (signal: AbortSignal, restart: (ms: number) => void) => Promise<T>,
): Promise<T> {
  const limit = new AbortController()
  const abort = () => limit.abort()
  let timer = setTimeout(abort, ms)
  const restart = (nextMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(abort, nextMs)
  }
  try {
    return await work(limit.signal, restart)
  } finally {
    clearTimeout(timer)
  }
}

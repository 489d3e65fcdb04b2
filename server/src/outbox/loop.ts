/** Runs one piece of work again and again: when asked, and when a time has passed. */
export interface Loop {
  /** Runs the work, one run at a time: what is asked for during a run causes one more. False if the last run failed. */
  readonly now: () => Promise<boolean>
  /** Makes sure that a run begins within this time. */
  readonly within: (ms: number) => void
  /** Starts no more runs by itself. */
  readonly stop: () => void
}

/** `onError` is called for each run that fails; the run is repeated after `retryMs`. */
export function createLoop(work: () => Promise<void>, retryMs: number, onError: (error: unknown) => void): Loop {
  let running: Promise<boolean> | undefined
  let isAskedAgain = false
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY
  let isStopped = false

  function now(): Promise<boolean> {
    isAskedAgain = true
    running ??= run()
    return running
  }

  async function run(): Promise<boolean> {
    clearTimer()
    try {
      while (isAskedAgain) {
        isAskedAgain = false
        await work()
      }
      return true
    } catch (error) {
      onError(error)
      within(retryMs)
      return false
    } finally {
      running = undefined
    }
  }

  function within(ms: number): void {
    const at = performance.now() + ms
    if (isStopped || at >= timerAt) return
    clearTimer()
    timerAt = at
    timer = setTimeout(() => {
      timerAt = Number.POSITIVE_INFINITY // else a run that goes on now could not plan the next
      void now()
    }, ms).unref()
  }

  function clearTimer(): void {
    clearTimeout(timer)
    timerAt = Number.POSITIVE_INFINITY
  }

  return {
    now,
    within,
    stop: () => {
      isStopped = true
      clearTimer()
    },
  }
}

const secondMs = 1_000

/** Counts events per second. */
export interface Pace {
  readonly note: () => void
  /** The count of the previous second, or of the current one if that is higher. */
  readonly recent: () => number
}

export function createPace(): Pace {
  let since = performance.now()
  let count = 0
  let before = 0

  function turn(): void {
    const passedMs = performance.now() - since
    if (passedMs < secondMs) return
    before = passedMs < 2 * secondMs ? count : 0
    count = 0
    since += passedMs
  }

  return {
    note: () => {
      turn()
      count++
    },
    recent: () => {
      turn()
      return Math.max(before, count)
    },
  }
}

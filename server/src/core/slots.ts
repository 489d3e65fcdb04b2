/** Runs a limited number of jobs at a time. The rest wait in order; when the line is full, `refuse` makes the error. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Makes `Slots` for `parallel` jobs at a time, with up to `maxWaiting` more in line; default: all. */
export function createSlots(
  parallel: number,
  maxWaiting = Number.POSITIVE_INFINITY,
  refuse: () => Error = () => new Error('the line is full'),
): Slots {
  let free = parallel
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else if (waiting.length >= maxWaiting) throw refuse()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

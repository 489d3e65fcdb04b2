/** Runs work, so many pieces at a time; the others wait in line, and `refuse` answers whoever finds the line full. */
export type Slots = <T>(work: () => Promise<T>) => Promise<T>

/** Makes `Slots` for `parallel` pieces of work, with `maxWaiting` more in line. */
export function createSlots(parallel: number, maxWaiting: number, refuse: () => Error): Slots {
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

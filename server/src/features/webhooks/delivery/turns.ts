/** How many go in a turn of the event loop while nobody asks anything of the service. */
const perTurn = 4
/** While requests come in, sending pauses for a millisecond after every few, in proportion to the time that has passed. */
const perMillisecond = 1.5

/** Lets a few messages go at a time, in the order in which they came, so that requests do not wait for many. */
export function createTurns(areRequestsComing: () => boolean): () => Promise<void> {
  const waiting: (() => void)[] = []
  let free = perTurn
  let isRunning = false

  function plan(): void {
    isRunning = true
    if (!areRequestsComing()) {
      setImmediate(next, perTurn)
      return
    }
    const begun = performance.now()
    const earned = () => Math.round((performance.now() - begun) * perMillisecond)
    setTimeout(() => next(Math.min(perTurn, Math.max(1, earned()))), 1)
  }

  function next(count: number): void {
    free = count
    const going = waiting.splice(0, free)
    free -= going.length
    for (const go of going) go()
    isRunning = false
    if (going.length > 0) plan()
  }

  return () => {
    if (!isRunning) plan()
    if (free === 0 || waiting.length > 0) return new Promise((go) => waiting.push(go))
    free--
    return Promise.resolve()
  }
}

/** How many go in a turn of the event loop while nobody asks anything of the service. */
const perTurn = 4
/** While requests come in, sending pauses for a millisecond after every few, in proportion to the time that has passed. */
const perMillisecond = 1.2

/**
 * Lets a few messages go at a time, in the order in which they came, so that requests do not wait for many. While they come in,
 * one goes in a turn of the event loop.
 */
export function createTurns(areRequestsComing: () => boolean): () => Promise<void> {
  const waiting: (() => void)[] = []
  let free = perTurn
  /** How many more may go before the next pause. */
  let credit = 0
  let isRunning = false

  function plan(): void {
    isRunning = true
    if (!areRequestsComing()) {
      setImmediate(next, perTurn)
      return
    }
    if (credit > 0) {
      setImmediate(next, 1)
      return
    }
    const begun = performance.now()
    const earned = () => Math.round((performance.now() - begun) * perMillisecond)
    setTimeout(() => {
      credit = Math.min(perTurn, Math.max(1, earned()))
      next(1)
    }, 1)
  }

  function next(count: number): void {
    free = count
    const going = waiting.splice(0, free)
    free -= going.length
    credit = Math.max(0, credit - going.length)
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

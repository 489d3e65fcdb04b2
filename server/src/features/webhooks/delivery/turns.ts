/** Lets so many go in each turn of the event loop, in the order in which they came. */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let gone = 0
  let isRunning = false

  function next(): void {
    gone = 0
    for (const go of waiting.splice(0, perTurn)) {
      gone++
      go()
    }
    isRunning = gone > 0
    if (isRunning) setImmediate(next)
  }

  return () => {
    if (!isRunning) {
      isRunning = true
      setImmediate(next)
    }
    if (gone < perTurn && waiting.length === 0) {
      gone++
      return Promise.resolve()
    }
    return new Promise((go) => waiting.push(go))
  }
}

import { setTimeout as pause } from 'node:timers/promises'

const stepMs = 50

/**
 * Runs `work` and gives its result, or its failure, a whole number of steps of 50 ms after it began: what it found cannot be
 * told from how long it took.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  let isDone = false
  const noteDone = () => {
    isDone = true
  }
  const result = work()
  result.then(noteDone, noteDone)
  // The timer runs from the start, not from the end of the work, whose fraction of a millisecond would show otherwise.
  do await pause(stepMs)
  while (!isDone)
  return result
}

import { setTimeout as pause } from 'node:timers/promises'

const stepMs = 50

/**
 * Runs `work` and returns its result, or its failure, after a whole number of steps of 50 ms, so that the duration does not
 * reveal the result.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  let isDone = false
  const noteDone = () => {
    isDone = true
  }
  const result = work()
  result.then(noteDone, noteDone)
  // The timer starts before the work. Otherwise the fraction of a millisecond that the work takes would show.
  do await pause(stepMs)
  while (!isDone)
  return result
}

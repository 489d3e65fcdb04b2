import { setImmediate } from 'node:timers/promises'

/** How long a piece of work may keep the event loop, in milliseconds. */
const maxTurnMs = 1

/** For long work: await the returned function between two pieces. Once they have taken long together, it yields to the event loop. */
export function createYielder(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  const yieldNow = async () => {
    await setImmediate()
    sinceMs = performance.now()
  }
  return () => (performance.now() - sinceMs < maxTurnMs ? undefined : yieldNow())
}

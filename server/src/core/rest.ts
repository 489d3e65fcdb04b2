import { setImmediate } from 'node:timers/promises'

/** How long a piece of work may keep the event loop, in milliseconds. */
const maxTurnMs = 1

/** For long work on the event loop. Call it between two pieces and wait for it: if they take long together, others get their turn. */
export function createRest(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  const rest = async () => {
    await setImmediate()
    sinceMs = performance.now()
  }
  return () => (performance.now() - sinceMs < maxTurnMs ? undefined : rest())
}

import { setImmediate } from 'node:timers/promises'

/** How long a piece of work may keep the event loop, in milliseconds. */
const maxTurnMs = 1

/** For long work on the event loop: await the returned function between two pieces. Once they have taken long together, others get their turn. */
export function createRest(): () => Promise<void> | undefined {
  let sinceMs = performance.now()
  const rest = async () => {
    await setImmediate()
    sinceMs = performance.now()
  }
  return () => (performance.now() - sinceMs < maxTurnMs ? undefined : rest())
}

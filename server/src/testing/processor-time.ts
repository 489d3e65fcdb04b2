import { setImmediate } from 'node:timers/promises'

/**
 * The processor time of some work, in milliseconds. Other programs on the machine do not affect it, unlike the clock. Load and
 * compile everything first.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The same for this thread alone: what runs in other threads does not count. */
export async function threadMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** The longest turn of the event loop during some work, in milliseconds of this thread's processor time. */
export async function longestTurnMs(work: () => unknown): Promise<number> {
  let longest = 0
  let isOver = false
  const turns = (async () => {
    while (!isOver) longest = Math.max(longest, await threadMs(() => setImmediate()))
  })()
  await work()
  isOver = true
  await turns
  return longest
}

/**
 * Milliseconds of processor time that some work takes: where a test says that it is linear, other programs on the machine do
 * not count. What is loaded or compiled once has to be before.
 */
export async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

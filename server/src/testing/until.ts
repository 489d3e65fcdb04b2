const pollMs = 10

/** Waits until `condition` holds: for what happens without the test hearing of it, in another process or after an answer. */
export async function until(condition: () => unknown, what = 'what was awaited', timeoutMs = 60_000): Promise<void> {
  const deadline = performance.now() + timeoutMs
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain: ${what}`)
    await new Promise((done) => setTimeout(done, pollMs))
  }
}

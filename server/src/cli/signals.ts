import { rmSync } from 'node:fs'

/** Runs `work`. If a signal ends this process meanwhile, these files are removed first. */
export const removeIfStopped = <T>(files: readonly string[], work: () => Promise<T>): Promise<T> =>
  whileListening(['SIGHUP', 'SIGINT', 'SIGTERM'], work, (signal) => {
    for (const file of files) rmSync(file, { force: true })
    process.kill(process.pid, signal) // once more, now without a listener: it ends this process
  })

/** Runs `work` and calls `stop` at the first Ctrl-C or SIGTERM; a second one ends this process. */
export const stoppable = <T>(work: () => Promise<T>, stop: () => void): Promise<T> =>
  whileListening(['SIGINT', 'SIGTERM'], work, stop)

/** Runs `work`; until it ends, the first signal of each kind goes to the listener. */
async function whileListening<T>(
  signals: readonly NodeJS.Signals[],
  work: () => Promise<T>,
  listener: (signal: NodeJS.Signals) => void,
): Promise<T> {
  for (const signal of signals) process.once(signal, listener)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, listener)
  }
}

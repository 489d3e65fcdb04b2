import { rmSync } from 'node:fs'

/** Runs `work`. A signal that ends this process meanwhile leaves none of these files behind. */
export async function removeIfStopped<T>(files: readonly string[], work: () => Promise<T>): Promise<T> {
  const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const
  const stop = (signal: NodeJS.Signals) => {
    for (const file of files) rmSync(file, { force: true })
    process.kill(process.pid, signal) // once more, now without a listener: it ends this process
  }
  for (const signal of signals) process.once(signal, stop)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

/** Runs `work` and calls `stop` at the first Ctrl-C or SIGTERM; a second one ends this process. */
export async function stoppable<T>(work: () => Promise<T>, stop: () => void): Promise<T> {
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    return await work()
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
}

import { rmSync } from 'node:fs'

/** Ctrl-C leaves none of these files behind; the signal still ends this process. */
export function removeWhenStopped(files: readonly string[]): void {
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const file of files) rmSync(file, { force: true })
      process.kill(process.pid, signal) // once more, now without a listener: it ends this process
    })
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

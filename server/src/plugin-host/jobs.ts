import type { Job } from '@gatehouse/plugin-kit'
import type { Log } from '../core/context.ts'

/** Shorter than what a drain of connections takes: a job that does not hear the signal is left behind. */
const stopPatienceMs = 8_000
const firstRetrySeconds = 5

/** Runs one job: never twice at once, again when it is woken meanwhile, later when it has failed. */
export interface JobRunner {
  readonly name: string
  readonly start: () => void
  readonly wake: () => void
  /** Runs it until it has no more to do. */
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function createJobRunner(plugin: string, job: Job, log: Log): JobRunner {
  const stopping = new AbortController()
  let isStarted = false
  let isWoken = false
  let failures = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const drain = async () => {
    while (!stopping.signal.aborted && (await job.run(stopping.signal)));
  }

  /** As long as nothing fails, its own rhythm; then soon, and ever more rarely. */
  const pauseMs = () => {
    const retrySeconds = firstRetrySeconds * 2 ** Math.min(failures - 1, 10)
    return 1_000 * (failures === 0 ? job.everySeconds : Math.min(job.everySeconds, retrySeconds))
  }

  const work = async () => {
    do {
      isWoken = false
      try {
        await drain()
        failures = 0
      } catch (err) {
        failures++
        log.error({ err, plugin, job: job.name }, 'a job failed; it is tried again later')
      }
    } while (isWoken && failures === 0 && !stopping.signal.aborted)
    running = undefined
    if (!stopping.signal.aborted) timer = setTimeout(look, pauseMs()).unref()
  }

  const look = () => {
    if (!isStarted || stopping.signal.aborted) return
    isWoken = true
    if (running !== undefined) return
    clearTimeout(timer)
    running = work()
  }

  return {
    name: job.name,
    start: () => {
      isStarted = true
      look()
    },
    wake: look,
    drain,
    stop: async () => {
      stopping.abort()
      clearTimeout(timer)
      const patience = Promise.withResolvers<void>()
      const deadline = setTimeout(patience.resolve, stopPatienceMs)
      await Promise.race([running, patience.promise])
      clearTimeout(deadline)
    },
  }
}

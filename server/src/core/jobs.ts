import type { Log } from './context.ts'

/** How long a stop waits for a running job, in milliseconds. A job that ignores the signal is abandoned. */
const stopPatienceMs = 8_000
const firstRetrySeconds = 5
/** When a job that starts later has its first run, after the start: not at the same moment in every node. */
const laterSeconds = { from: 10, to: 60 }

/** Work in the background. Several nodes may run it at the same moment. */
export interface Job {
  readonly name: string
  /** Seconds from the end of one run to the start of the next. */
  readonly everySeconds: number
  /** True where the first run waits until the start is over, at most a minute. */
  readonly startsLater?: boolean
  /** Does a short piece of work; returns true if there is more to do at once. */
  readonly run: (stop: AbortSignal) => Promise<boolean>
}

/** The run statistics of a job in this process. */
export interface JobState {
  readonly succeeded: number
  readonly failed: number
  /** When the last run began, epoch milliseconds; null before the first. */
  readonly lastRunMs: number | null
  readonly lastSeconds: number
  /** The code or name of the error of the last run; null if it succeeded. */
  readonly lastError: string | null
}

/** Runs one job: never twice at once, again if it was woken in the meantime, later if it failed. */
export interface JobRunner {
  readonly name: string
  readonly state: () => JobState
  readonly start: () => void
  readonly wake: () => void
  /** Runs it until there is nothing more to do; for tests, which start no jobs. */
  readonly drain: () => Promise<void>
  readonly stop: () => Promise<void>
}

const shortName = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown'
}

export function createJobRunner(job: Job, log: Log): JobRunner {
  const stopping = new AbortController()
  let state: JobState = { succeeded: 0, failed: 0, lastRunMs: null, lastSeconds: 0, lastError: null }
  let isStarted = false
  let isWoken = false
  let failures = 0
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const drain = async () => {
    while (!stopping.signal.aborted && (await job.run(stopping.signal)));
  }

  /** The normal interval; after a failure a shorter one that grows with each further failure. */
  const pauseMs = () => {
    const retrySeconds = firstRetrySeconds * 2 ** Math.min(failures - 1, 10)
    return 1_000 * (failures === 0 ? job.everySeconds : Math.min(job.everySeconds, retrySeconds))
  }

  const runOnce = async () => {
    const begun = performance.now()
    state = { ...state, lastRunMs: Date.now() }
    try {
      await drain()
      failures = 0
      state = { ...state, succeeded: state.succeeded + 1, lastError: null }
    } catch (err) {
      failures++
      state = { ...state, failed: state.failed + 1, lastError: shortName(err) }
      log.error({ err, job: job.name }, 'a job failed; it is tried again later')
    }
    state = { ...state, lastSeconds: (performance.now() - begun) / 1_000 }
  }

  const work = async () => {
    do {
      isWoken = false
      await runOnce()
    } while (isWoken && failures === 0 && !stopping.signal.aborted)
    running = undefined
    plan(pauseMs())
  }

  const plan = (ms: number) => {
    if (!stopping.signal.aborted) timer = setTimeout(look, ms).unref()
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
    state: () => state,
    start: () => {
      isStarted = true
      const { from, to } = laterSeconds
      if (job.startsLater === true) plan(1_000 * (from + (to - from) * Math.random()))
      else look()
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

/** All background work of this process. */
export interface Jobs {
  readonly runners: readonly JobRunner[]
  /** Runs the job with this name soon. Does nothing if jobs are not started. */
  readonly wake: (name: string) => void
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export const createJobs = (runners: readonly JobRunner[]): Jobs => ({
  runners,
  wake: (name) => runners.find((runner) => runner.name === name)?.wake(),
  start: () => {
    for (const runner of runners) runner.start()
  },
  stop: async () => {
    await Promise.all(runners.map((runner) => runner.stop()))
  },
})

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { fromThreadFailure, type ThreadFailure } from './thread-failure.ts'

/** A query for a worker, and its answer. */
export interface Question {
  readonly sql: string
  readonly parameters: readonly unknown[]
}
export type Answer = { readonly rows: unknown[]; readonly tookMs: number } | { readonly error: ThreadFailure }

/** At least two, so that a short search does not wait behind a long one. */
const maxWorkers = Math.min(4, Math.max(2, availableParallelism() - 1))
/** Idle workers end after this time: each holds some 15 MB. */
const idleTimeoutMs = 10_000
/** Beyond this many waiting queries, new ones are refused. */
const maxWaiting = 1_000
/** A query that was this slow twice within a minute, or very slow once, runs on a worker until it has not been slow for a minute. */
const slowFromMs = 5
const verySlowFromMs = 25
const slowForMs = 60_000
const maxSlow = 1_000

interface Job extends Question {
  readonly resolve: (rows: unknown[]) => void
  readonly reject: (error: Error) => void
}

export interface Workers {
  readonly read: (sql: string, parameters: readonly unknown[]) => Promise<unknown[]>
  /** True if a query that should be quick was slow several times, or very slow, not long ago. */
  readonly isSlow: (sql: string) => boolean
  /** True after one recent slow run. */
  readonly isSuspect: (sql: string) => boolean
  readonly noteTime: (sql: string, tookMs: number) => void
  readonly close: () => Promise<void>
}

const failure = (message: string, code: string): Error => fromThreadFailure({ message, code })

/**
 * Threads that read what would keep the event loop, and so everybody else, waiting. Each has a connection of its own and
 * begins to read after it was asked: it sees all that was committed by then. They start when there is something to read.
 */
export function createWorkers(path: string): Workers {
  const waiting: Job[] = []
  const idle = new Map<Worker, NodeJS.Timeout>()
  const busy = new Map<Worker, Job>()
  let closed = false

  const end = (worker: Worker): Promise<number> => {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    worker.removeAllListeners('exit')
    return worker.terminate()
  }

  function give(worker: Worker, job: Job): void {
    clearTimeout(idle.get(worker))
    idle.delete(worker)
    busy.set(worker, job)
    worker.ref()
    worker.postMessage({ sql: job.sql, parameters: job.parameters } satisfies Question)
  }

  function next(worker: Worker): void {
    busy.delete(worker)
    const job = waiting.shift()
    if (job !== undefined) give(worker, job)
    else {
      worker.unref()
      idle.set(worker, setTimeout(() => end(worker), idleTimeoutMs).unref())
    }
  }

  function start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: path })
    worker.on('message', (answer: Answer) => {
      const job = busy.get(worker)
      next(worker)
      if (job === undefined) return
      if ('error' in answer) return job.reject(fromThreadFailure(answer.error))
      if (timesSlow(job.sql) > 0) noteTime(job.sql, answer.tookMs)
      job.resolve(answer.rows)
    })
    const gone = (reason: string): void => {
      worker.removeAllListeners('exit') // an error comes first, where there is one
      clearTimeout(idle.get(worker))
      idle.delete(worker)
      const job = busy.get(worker)
      busy.delete(worker)
      job?.reject(failure(`a thread that reads the database ended: ${reason}`, 'SQLITE_CANTOPEN'))
      const waits = closed ? undefined : waiting.shift()
      if (waits !== undefined) give(start(), waits)
    }
    worker.on('error', (error) => gone(String(error)))
    worker.on('exit', (code) => gone(`exit ${code}`))
    return worker
  }

  const slow = new Map<string, { times: number; untilMs: number }>()
  const timesSlow = (sql: string): number => {
    const known = slow.size === 0 ? undefined : slow.get(sql)
    return known !== undefined && known.untilMs > performance.now() ? known.times : 0
  }
  function noteTime(sql: string, tookMs: number): void {
    if (tookMs < slowFromMs) return
    const times = timesSlow(sql) + (tookMs < verySlowFromMs ? 1 : 2)
    if (slow.size >= maxSlow) slow.clear()
    slow.set(sql, { times, untilMs: performance.now() + slowForMs })
  }

  return {
    read: (sql, parameters) =>
      new Promise((resolve, reject) => {
        const job = { sql, parameters, resolve, reject }
        const [free] = idle.keys()
        if (closed || waiting.length >= maxWaiting) reject(failure('too many reads are waiting', 'SQLITE_BUSY'))
        else if (free !== undefined) give(free, job)
        else if (busy.size < maxWorkers) give(start(), job)
        else waiting.push(job)
      }),
    isSlow: (sql) => timesSlow(sql) > 1,
    isSuspect: (sql) => timesSlow(sql) > 0,
    noteTime,
    close: async () => {
      closed = true
      const gone = failure('the database is closed', 'SQLITE_CANTOPEN')
      for (const job of [...waiting.splice(0), ...busy.values()]) job.reject(gone)
      const workers = [...idle.keys(), ...busy.keys()]
      busy.clear()
      await Promise.all(workers.map(end))
    },
  }
}

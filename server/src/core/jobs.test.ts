import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from './context.ts'
import { createJobRunner, createJobs } from './jobs.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const pass = (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000)
const everySeconds = 60

describe('a job', () => {
  it('runs at start, at its interval, and again at once while there is more to do', async () => {
    const answers = [true, true, false]
    const run = vi.fn(async () => answers.shift() ?? false)
    const job = createJobRunner({ name: 'notes.tidy', everySeconds, run }, silentLog)
    await pass(300)
    expect(run).toHaveBeenCalledTimes(0)
    job.start()
    await pass(0)
    expect(run).toHaveBeenCalledTimes(3)
    await pass(59)
    expect(run).toHaveBeenCalledTimes(3)
    await pass(1)
    expect(run).toHaveBeenCalledTimes(4)
    await job.stop()
    await pass(600)
    expect(run).toHaveBeenCalledTimes(4)
  })

  it('never runs twice at once; woken while it runs, it runs once more', async () => {
    const gates = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()]
    let at = 0
    const run = vi.fn(() => gates[at++]?.promise ?? Promise.resolve(false))
    const job = createJobRunner({ name: 'notes.tidy', everySeconds, run }, silentLog)
    job.start()
    for (let time = 0; time < 5; time++) job.wake()
    await pass(0)
    expect(run).toHaveBeenCalledTimes(1)
    gates[0]?.resolve(false)
    await pass(0)
    expect(run).toHaveBeenCalledTimes(2)
    gates[1]?.resolve(false)
    await pass(1)
    expect(run).toHaveBeenCalledTimes(2)
    await job.stop()
  })

  it('is retried after a failure with growing delays up to its interval; the failure is logged', async () => {
    const run = vi.fn(async () => Promise.reject(new Error('no')))
    const error = vi.fn()
    const job = createJobRunner({ name: 'notes.tidy', everySeconds, run }, { ...silentLog, error })
    job.start()
    for (const [seconds, calls] of [
      [4, 1],
      [1, 2],
      [10, 3],
      [20, 4],
      [40, 5],
      [60, 6],
    ] as const) {
      await pass(seconds)
      expect(run).toHaveBeenCalledTimes(calls)
    }
    expect(error).toHaveBeenLastCalledWith(
      expect.objectContaining({ job: 'notes.tidy' }),
      expect.stringContaining('tried again'),
    )
    await job.stop()
  })

  it('is told to stop; the stop waits for it, but not for ever', async () => {
    const heard = Promise.withResolvers<boolean>()
    const run = (stop: AbortSignal) => {
      stop.addEventListener('abort', () => heard.resolve(true))
      return heard.promise
    }
    const job = createJobRunner({ name: 'notes.tidy', everySeconds, run }, silentLog)
    job.start()
    await pass(0)
    await job.stop()
    const deaf = createJobRunner({ name: 'deaf', everySeconds, run: () => new Promise(() => {}) }, silentLog)
    deaf.start()
    const stopped = vi.fn()
    const stop = deaf.stop().then(stopped)
    await pass(7)
    expect(stopped).not.toHaveBeenCalled()
    await pass(2)
    await stop
  })

  it('that starts later lets the start pass, begins within a minute, and not at the same moment in every node', async () => {
    const begun: number[] = []
    const start = Date.now()
    const run = async () => begun.push(Date.now() - start) < 0
    const nodes = Array.from({ length: 20 }, () =>
      createJobRunner({ name: 'notes.tidy', everySeconds: 600, startsLater: true, run }, silentLog),
    )
    for (const node of nodes) node.start()
    await pass(60)
    expect(begun).toHaveLength(20)
    expect(Math.min(...begun)).toBeGreaterThanOrEqual(10_000)
    expect(new Set(begun).size).toBeGreaterThan(10)
    await pass(539)
    expect(begun).toHaveLength(20)
    await pass(61)
    expect(begun).toHaveLength(40)
    for (const node of nodes) await node.stop()
  })

  it('reports how often it succeeded and failed, and its last error', async () => {
    const outcomes = [new Error('a'), Object.assign(new Error('b'), { code: 'SQLITE_FULL' }), undefined]
    const run = vi.fn(async () => {
      const outcome = outcomes.shift()
      if (outcome !== undefined) throw outcome
      return false
    })
    const job = createJobRunner({ name: 'notes.tidy', everySeconds, run }, silentLog)
    expect(job.state()).toEqual({ succeeded: 0, failed: 0, lastRunMs: null, lastSeconds: 0, lastError: null })
    job.start()
    await pass(0)
    expect(job.state()).toMatchObject({ succeeded: 0, failed: 1, lastError: 'Error' })
    await pass(5)
    expect(job.state()).toMatchObject({ succeeded: 0, failed: 2, lastError: 'SQLITE_FULL' })
    await pass(10)
    expect(job.state()).toMatchObject({ succeeded: 1, failed: 2, lastError: null, lastRunMs: Date.now() })
    await job.stop()
  })
})

it('a failing job does not stop the others', async () => {
  const works = vi.fn(async () => false)
  const fails = async () => Promise.reject(new Error('broken'))
  const runners = [
    createJobRunner({ name: 'fails', everySeconds, run: fails }, silentLog),
    createJobRunner({ name: 'works', everySeconds, run: works }, silentLog),
  ]
  const jobs = createJobs(runners)
  jobs.start()
  await pass(everySeconds)
  expect(works).toHaveBeenCalledTimes(2)
  expect(runners.map(({ state }) => state().lastError)).toEqual(['Error', null])
  await jobs.stop()
})

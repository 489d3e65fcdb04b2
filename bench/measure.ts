import type { Contender, Name } from './contenders.ts'
import { type Ask, type LoadResult, median, percentile, runLoad } from './load.ts'

/** Medians over the rounds. Times in milliseconds. */
export interface Measurement {
  readonly case: string
  readonly variant: string
  readonly contender: string
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly longest: number
  /** Answers a second of each round. */
  readonly rates: readonly number[]
  /** Microseconds of processor time of the server per answer, over all its threads, without a database server. */
  readonly cpu: number
  /** How busy the load generator was. */
  readonly busy: number
}

/** A single figure, such as a size. */
export interface Fact {
  readonly name: string
  readonly contender: string
  readonly value: number
  readonly unit: string
}

export interface Bench {
  readonly users: number
  readonly seconds: number
  readonly rounds: number
  readonly contenders: ReadonlyMap<Name, Contender>
  readonly measurements: Measurement[]
  readonly facts: Fact[]
  /** What was checked beyond the single answers, in sentences. */
  readonly checks: string[]
}

export interface Stream {
  readonly connections: number
  /** A limit on requests a second. */
  readonly perSecond?: number
  readonly next: (index: number) => Ask
  /** See `LoadOptions`. */
  readonly sleepless?: boolean
}

export interface Entry extends Stream {
  readonly case: string
  readonly variant: string
  readonly contender: Contender
  /** Of the seconds of a round. */
  readonly share?: number
  readonly minCount?: number
  /** Runs beside it; measured as a separate variant. */
  readonly meanwhile?: Stream
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

async function runRound(entry: Entry, seconds: number, minCount: number) {
  const { port, cpuSeconds } = entry.contender.server
  const { connections, next, sleepless } = entry
  const load = { port, connections, next, sleepless, maxMs: seconds * 1000, minCount }
  const before = cpuSeconds()
  if (entry.meanwhile === undefined) {
    const result = await runLoad(load)
    return { result: { ...result, cpu: ((cpuSeconds() - before) * 1e6) / result.count }, beside: undefined }
  }
  const stop = new AbortController()
  const besides = runLoad({ ...entry.meanwhile, port, maxMs: 600_000, signal: stop.signal })
  const [result, beside] = await Promise.all([runLoad(load).finally(() => stop.abort()), besides])
  return { result, beside }
}

const sortedTimes = (times: readonly number[], seconds: number): LoadResult => ({
  count: times.length,
  perSecond: times.length / seconds,
  times,
  byLabel: new Map(),
  busy: Number.NaN,
})

export function toMeasurement(
  of: Pick<Measurement, 'case' | 'variant' | 'contender'>,
  results: readonly LoadResult[],
): Measurement {
  const rates = results.map(({ perSecond }) => perSecond)
  return {
    case: of.case,
    variant: of.variant,
    contender: of.contender,
    perSecond: median(rates),
    p50: median(results.map(({ times }) => percentile(times, 0.5))),
    p99: median(results.map(({ times }) => percentile(times, 0.99))),
    longest: median(results.map(({ times }) => percentile(times, 1))),
    rates,
    cpu: median(results.map((result) => ('cpu' in result ? Number(result.cpu) : Number.NaN))),
    busy: median(results.map(({ busy }) => busy)),
  }
}

export function record(bench: Bench, measurement: Measurement): void {
  bench.measurements.push(measurement)
  const { case: of, variant, contender, perSecond, p50, p99, longest, cpu } = measurement
  const figures = [
    `${perSecond.toFixed(perSecond < 100 ? 1 : 0)}/s`.padStart(9),
    `p50 ${p50.toFixed(2)}`.padStart(12),
    `p99 ${p99.toFixed(2)}`.padStart(13),
    `longest ${longest.toFixed(1)} ms`.padStart(19),
    Number.isNaN(cpu) ? '' : `cpu ${cpu.toFixed(0)} µs`.padStart(13),
  ]
  say(`  ${`${of} ${variant}`.padEnd(38)} ${contender.padEnd(13)} ${figures.join(' ')}`)
}

/** The shortest first run of a case: V8 needs about that long to compile the code that the case uses. */
const warmUpSeconds = 2
const warm = new WeakMap<Contender, Set<string>>()

/** The first time that a contender meets a case. */
function isCold({ contender, case: of }: Entry): boolean {
  const known = warm.get(contender) ?? new Set()
  warm.set(contender, known)
  if (known.has(of)) return false
  known.add(of)
  return true
}

/** Warms up every entry, then runs them in turn (A B A B …) and records the medians; if requests have labels, for each label. */
export async function alternate(bench: Bench, entries: readonly Entry[]): Promise<void> {
  const results = entries.map(() => ({ own: [] as LoadResult[], beside: [] as LoadResult[] }))
  for (const entry of entries) {
    const seconds = 0.5 * bench.seconds * (entry.share ?? 1)
    await runRound(entry, isCold(entry) ? Math.max(seconds, warmUpSeconds) : seconds, 1)
  }
  for (let round = 0; round < bench.rounds; round++) {
    for (const [index, entry] of entries.entries()) {
      const { result, beside } = await runRound(entry, bench.seconds * (entry.share ?? 1), entry.minCount ?? 1)
      results[index]?.own.push(result)
      if (beside !== undefined) results[index]?.beside.push(beside)
    }
  }
  for (const [index, entry] of entries.entries()) {
    const { own, beside } = results[index] as (typeof results)[number]
    const of = { case: entry.case, variant: entry.variant, contender: entry.contender.name }
    const variants = new Set(own.flatMap(({ byLabel }) => [...byLabel.keys()]))
    for (const variant of variants) {
      const seconds = bench.seconds * (entry.share ?? 1)
      record(
        bench,
        toMeasurement(
          { ...of, variant },
          own.map(({ byLabel }) => sortedTimes(byLabel.get(variant) ?? [], seconds)),
        ),
      )
    }
    if (variants.size === 0) record(bench, toMeasurement(of, own))
    if (beside.length > 0)
      record(bench, toMeasurement({ ...of, variant: `${entry.variant}, the stream itself` }, beside))
  }
}

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { median } from './load.ts'
import type { Fact, Measurement } from './measure.ts'

export const docs = resolve(import.meta.dirname, '../docs')
const file = join(docs, 'benchmarks/results.json')

/** The results of one run with one number of users. */
export interface Size {
  readonly users: number
  readonly date: string
  readonly commit: string
  readonly machine: string
  readonly command: string
  /** Seconds, without the seeding. */
  readonly took: number
  /** The load average of the minute before. */
  readonly loadBefore: string
  readonly seconds: number
  readonly rounds: number
  readonly measurements: readonly Measurement[]
  readonly facts: readonly Fact[]
  readonly checks: readonly string[]
}

/** How busy the machine was in the last minute. */
export const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(2)

/** The machine, in one line. */
export const machine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform}, Node ${process.version}`

/** The commit, and whether files differ from it. */
export function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: docs, encoding: 'utf8', stdio: 'pipe' }).trim()
  try {
    const changed = git('status', '--porcelain', '--', '../server', '../bench', '../package.json')
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with changes'}`
  } catch {
    return 'unknown'
  }
}

/** Replaces the earlier results of the same sizes; returns all results. */
export function keepResults(sizes: readonly Size[]): readonly Size[] {
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Size[]) : []
  const others = before.filter(({ users }) => !sizes.some((size) => size.users === users))
  const all = [...others, ...sizes].sort((a, b) => a.users - b.users)
  const toPlaces = (_key: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value)
  writeFileSync(file, `${JSON.stringify(all, toPlaces, 1)}\n`)
  return all
}

export const find = (size: Size | undefined, of: string, variant: string, contender: string): Measurement | undefined =>
  size?.measurements.find((each) => each.case === of && each.variant === variant && each.contender === contender)

export const findFact = (size: Size | undefined, name: string, contender: string): number | undefined =>
  size?.facts.find((fact) => fact.name === name && fact.contender === contender)?.value

/** How much faster one is than the other: the median over the rounds, each compared with its neighbour. */
export function speedRatio(one: Measurement | undefined, other: Measurement | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined
  return median(one.rates.map((rate, round) => rate / (other.rates[round] ?? Number.NaN)))
}

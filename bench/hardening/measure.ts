import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Apps from '../../server/src/testing/app.ts'
import type { Build, Change } from './build.ts'

/** What a measure runs on: a build on a database. */
export interface Stand {
  readonly build: Build
  /** A PostgreSQL server; null for SQLite. */
  readonly postgresUrl: string | null
  /** A part of the full numbers, so that all measures together take minutes. */
  readonly isShort: boolean
  /** How many kills. */
  readonly rounds: number
}

export interface Outcome {
  /** The measured figure. */
  readonly figure: string
  readonly holds: boolean
}

export interface Measure {
  /** The guarantee. */
  readonly promise: string
  /** Where it is taken; default: both. */
  readonly databases?: readonly ('sqlite' | 'postgres')[]
  /** What this machine lacks for it; undefined if nothing. */
  readonly needs?: () => string | undefined
  /** Guards that are switched off one at a time, by name: without any one of them the measure must fail. */
  readonly guards: Readonly<Record<string, readonly Change[]>>
  readonly take: (stand: Stand) => Promise<Outcome>
}

/** A module of the measured build. */
export const load = <Module>({ build }: Stand, path: string): Promise<Module> =>
  import(pathToFileURL(join(build.root, 'server/src', path)).href)

/** Runs `work` on the build's own server within this process, on an empty database. */
export async function withApp<T>(
  stand: Stand,
  work: (t: Apps.TestApp) => Promise<T>,
  settings: Record<string, string> = {},
): Promise<T> {
  const { startTestApp } = await load<typeof Apps>(stand, 'testing/app.ts')
  const t = await startTestApp(stand.postgresUrl, settings)
  try {
    return await work(t)
  } finally {
    await t.close()
  }
}

/** Runs something this many times in parallel. */
export const atOnce = <T>(times: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => work(index)))

export const countWhere = <T>(list: readonly T[], holds: (one: T) => boolean): number => list.filter(holds).length

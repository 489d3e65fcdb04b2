import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import type { TestApp } from './app.ts'
import { adminQuery, createTestDatabase, type TestDatabase } from './databases.ts'
import { caller } from './socket.ts'
import { until } from './until.ts'

export const root = resolve(import.meta.dirname, '../../..')
const runTimeoutMs = 60_000

type Settings = Record<string, string>

/** How a child ended, and all that it said. */
export interface Outcome {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Child {
  readonly process: ChildProcess
  readonly said: { stdout: string; stderr: string }
  readonly ended: Promise<Outcome>
}

export interface ServerProcess extends Child {
  readonly url: string
  /** The administrator's API key, where this start was given or has printed one. */
  readonly key: string
  /** `call('PATCH /users/2', { body })` over a socket; paths below `/api` unless they start with `//`. */
  readonly call: TestApp['call']
  /** Sends the signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Outcome>
}

/** A folder and a database in which the real program runs, as an operator would run it. */
export interface Installation {
  readonly folder: string
  readonly database: TestDatabase
  /** The settings that every start gets; a call's own come over them. */
  readonly settings: Settings
  /** Starts the service on a free port and waits until it is ready. `from` is where the program is, if it is not that of the others. */
  readonly start: (settings?: Settings, from?: string) => Promise<ServerProcess>
  /** Runs a command to its end: `run(['users', 'list'])`. `obeysModes`: permissions of files bind it, even if root runs the tests. */
  readonly run: (
    args: readonly string[],
    more?: { settings?: Settings; stdin?: string; obeysModes?: boolean },
  ) => Promise<Outcome>
  /** Starts any other program here, in the same environment; what it starts in turn ends with the installation, too. */
  readonly spawn: (file: string, args: readonly string[], settings?: Settings) => Child
  /** Ends what still runs and deletes everything. */
  readonly remove: () => Promise<void>
}

export const newKey = (): string => `gh_${randomBytes(32).toString('base64url')}`

function watch(child: ChildProcess): Child {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] += text
    })
  }
  const ended = new Promise<Outcome>((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => done({ code, ...said }))
  })
  return { process: child, said, ended }
}

/** Ends a child, and its whole group where it leads one. */
function killTree(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const overridingModes = '-dac_override,-dac_read_search'

/** A command line without root's right to override the permissions of files. Nobody else has it. */
const obeyingModes = (command: readonly string[]): readonly string[] =>
  process.getuid?.() === 0
    ? ['setpriv', `--bounding-set=${overridingModes}`, `--inh-caps=${overridingModes}`, ...command]
    : command

/** A database without a single table: what an operator has before the first start. */
async function createBlankDatabase(postgresUrl: string | null): Promise<TestDatabase> {
  const database = await createTestDatabase(postgresUrl)
  if (postgresUrl !== null) await adminQuery(database.url, 'drop schema public cascade; create schema public')
  return database
}

/**
 * The program in a folder of its own, on an empty database. `postgresUrl` comes from `inject('postgresUrl')`, and
 * `programRoot` is where the program is: here unless a copy is meant.
 */
export const createInstallation = async (
  postgresUrl: string | null,
  given: Settings = {},
  programRoot = root,
): Promise<Installation> => installOn(await createBlankDatabase(postgresUrl), given, programRoot)

/** The same on a migrated database without users, for tests that are not about the first start: on PostgreSQL, it takes a second. */
export const createMigrated = async (postgresUrl: string | null, given: Settings = {}): Promise<Installation> =>
  installOn(await createTestDatabase(postgresUrl, process.env.GATEHOUSE_TEST_TEMPLATE), given, root)

function installOn(database: TestDatabase, given: Settings, programRoot: string): Installation {
  const programIn = (folder: string) => ['--max-semi-space-size=8', join(folder, 'server/bin/gatehouse.js')]
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-process-'))
  const quick = { GATEHOUSE_RATE_LIMIT: 'off', GATEHOUSE_DRAIN_SECONDS: '0', MALLOC_ARENA_MAX: '2' }
  const settings = { GATEHOUSE_DATABASE_URL: database.url, ...quick, ...given }
  const children = new Set<Child>()

  const spawnHere = (file: string, args: readonly string[], extra: Settings = {}, options: SpawnOptions = {}) => {
    // Nothing of the settings of whoever runs the tests; an empty value takes one of ours away.
    const { PATH = '', HOME = '' } = process.env
    const env = Object.fromEntries(
      Object.entries({ PATH: `${join(root, 'node_modules/.bin')}:${PATH}`, HOME, ...settings, ...extra }).filter(
        ([, value]) => value !== '',
      ),
    )
    const child = watch(spawn(file, args, { cwd: folder, env, stdio: 'pipe', ...options }))
    children.add(child)
    child.ended.then(
      () => children.delete(child),
      () => children.delete(child),
    )
    return child
  }

  const start: Installation['start'] = async (extra = {}, from = programRoot) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const child = spawnHere('node', [...programIn(from), 'start'], { GATEHOUSE_PORT: String(port), ...extra })
    const isReady = async () => {
      if (child.process.exitCode !== null) throw new Error(`the server did not start: ${child.said.stderr}`)
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    }
    await until(isReady, 'the server to be ready')
    const printed = /gh_[\w-]{43}/.exec(child.said.stdout)?.[0]
    const key = printed ?? extra.GATEHOUSE_ADMIN_API_KEY ?? given.GATEHOUSE_ADMIN_API_KEY ?? ''
    const stop: ServerProcess['stop'] = (signal = 'SIGTERM') => {
      child.process.kill(signal)
      return child.ended
    }
    return { ...child, url, key, stop, call: caller(url, key) }
  }

  const run: Installation['run'] = (args, { settings: extra, stdin = '', obeysModes = false } = {}) => {
    const command = ['node', ...programIn(programRoot), ...args]
    const [file, ...words] = (obeysModes ? obeyingModes(command) : command) as [string, ...string[]]
    const child = spawnHere(file, words, extra, {
      timeout: runTimeoutMs,
      killSignal: 'SIGKILL',
    })
    child.process.stdin?.on('error', () => {}).end(stdin) // a command that has no use for it may be gone already
    return child.ended
  }

  const remove = async () => {
    const left = [...children]
    for (const { process: child } of left) killTree(child)
    await Promise.all(left.map(({ ended }) => ended))
    await database.remove()
    rmSync(folder, { recursive: true, force: true })
  }
  const spawnTree: Installation['spawn'] = (file, args, extra) => spawnHere(file, args, extra, { detached: true })
  return { folder, database, settings, start, run, spawn: spawnTree, remove }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createTestDatabase, type TestDatabase } from './databases.ts'
import { until } from './until.ts'

const root = resolve(import.meta.dirname, '../../..')
const program = join(root, 'server/bin/gatehouse.js')

/** How a command ended, and all that it said. */
export interface Outcome {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunningService {
  readonly url: string
  readonly process: ChildProcess
  /** Sends the signal and waits for the end. */
  readonly stop: (signal?: NodeJS.Signals) => Promise<Outcome>
}

/** A folder and a database in which the real program runs. */
export interface Workplace {
  readonly folder: string
  readonly database: TestDatabase
  /** Starts the service on a free port and waits until it is ready. */
  readonly start: () => Promise<RunningService>
  /** Runs a command to its end. */
  readonly run: (...args: string[]) => Promise<Outcome>
  /** Ends what still runs and deletes everything. */
  readonly remove: () => Promise<void>
}

const freePort = (): Promise<number> =>
  new Promise((found, fail) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (address !== null && typeof address === 'object' ? found(address.port) : fail(address)))
    })
  })

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

/** The real program in a folder and on a database of its own. `settings` are its whole environment. */
export async function createWorkplace(
  postgresUrl: string | null,
  settings: Record<string, string>,
): Promise<Workplace> {
  const database = await createTestDatabase(postgresUrl)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-child-'))
  const running = new Set<{ process: ChildProcess; ended: Promise<Outcome> }>()

  function spawnHere(args: readonly string[], extra: Record<string, string> = {}) {
    const env = {
      GATEHOUSE_DATABASE_URL: database.url,
      GATEHOUSE_RATE_LIMIT: 'off',
      GATEHOUSE_DRAIN_SECONDS: '0',
      ...settings,
      ...extra,
    }
    const child = spawn(process.execPath, [program, ...args], { cwd: folder, env, stdio: 'pipe' })
    const said = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        said[name] += text
      })
    }
    const ended = new Promise<Outcome>((done, fail) => {
      child.on('error', fail)
      child.on('close', (code) => done({ code, ...said }))
    })
    const entry = { process: child, ended }
    running.add(entry)
    return { ...entry, said }
  }

  return {
    folder,
    database,
    start: async () => {
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const { process: child, ended, said } = spawnHere(['start'], { GATEHOUSE_PORT: String(port) })
      await until(() => {
        if (child.exitCode !== null) throw new Error(`the service did not start: ${said.stderr}`)
        return isReady(url)
      }, 'the service to be ready')
      const stop: RunningService['stop'] = (signal = 'SIGTERM') => {
        child.kill(signal)
        return ended
      }
      return { url, process: child, stop }
    },
    run: (...args) => spawnHere(args).ended,
    remove: async () => {
      for (const { process: child } of running) child.kill('SIGKILL')
      await Promise.all([...running].map(({ ended }) => ended))
      await database.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

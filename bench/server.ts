import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

// As `npm start` runs it.
const program = [
  '--max-semi-space-size=2',
  '--optimize-for-size',
  resolve(import.meta.dirname, '../server/src/main.ts'),
]
const readyWithinMs = 30_000
const stoppedWithinMs = 10_000

/** Seconds. */
export interface Usage {
  /** On the processor, all threads. */
  readonly cpu: number
  /** On the processor, the thread of the event loop. */
  readonly loopRan: number
  /** How long that thread had work but no core to do it on. */
  readonly loopWaited: number
}

export interface BenchServer {
  readonly port: number
  /** The administrator's API key. */
  readonly key: string
  /** Runs a command of the program on the same data. */
  readonly run: (...args: string[]) => Promise<void>
  /** What it has used so far. */
  readonly usage: () => Usage
  /** Ends the process and deletes its folder. */
  readonly stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null

async function untilReady(child: ChildProcess, port: number, log: string): Promise<void> {
  const deadline = performance.now() + readyWithinMs
  for (;;) {
    if (!isRunning(child)) throw new Error(`the server did not start:\n${readFileSync(log, 'utf8')}`)
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    if (performance.now() > deadline) throw new Error(`the server was not ready within ${readyWithinMs / 1000} s`)
    await pause(20)
  }
}

/** From /proc (proc_pid_stat(5), schedstat), which is there on Linux alone; NaN elsewhere. */
function readUsage(pid: number): Usage {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [ran, waited] = readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ').map(Number)
    return {
      cpu: (Number(fields[11]) + Number(fields[12])) / 100, // ticks of 10 ms
      loopRan: (ran ?? Number.NaN) / 1e9,
      loopWaited: (waited ?? Number.NaN) / 1e9,
    }
  } catch {
    return { cpu: Number.NaN, loopRan: Number.NaN, loopWaited: Number.NaN }
  }
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const killer = setTimeout(() => child.kill('SIGKILL'), stoppedWithinMs)
  await ended
  clearTimeout(killer)
}

/** Starts the real program in a folder of its own, with SQLite and the settings of a first start, and waits until it is ready. */
export async function startServer(): Promise<BenchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'))
  const port = await freePort()
  const key = `gh_${randomBytes(32).toString('base64url')}`
  const env = { GATEHOUSE_PORT: String(port), GATEHOUSE_RATE_LIMIT: 'off', GATEHOUSE_ADMIN_API_KEY: key }
  // To a file, as an operator keeps it: read through a pipe it would cost the load generator time.
  const log = join(folder, 'log')
  const output = openSync(log, 'a')
  const launch = (args: readonly string[]) =>
    spawn(process.execPath, [...program, ...args], { cwd: folder, env, stdio: ['ignore', output, output] })

  const child = launch(['start'])
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)
  const stop = async () => {
    await stopChild(child)
    process.off('exit', killNow)
    closeSync(output)
    rmSync(folder, { recursive: true, force: true })
  }
  const run: BenchServer['run'] = async (...args) => {
    const [code] = await once(launch(args), 'exit')
    if (code !== 0) throw new Error(`gatehouse ${args.join(' ')} failed:\n${readFileSync(log, 'utf8').slice(-2000)}`)
  }
  try {
    await untilReady(child, port, log)
  } catch (error) {
    await stop()
    throw error
  }
  return { port, key, run, usage: () => readUsage(child.pid ?? 0), stop }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { get } from 'node:http'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '..')
const readyWithinMs = 60_000
const stoppedWithinMs = 10_000

export interface Program {
  readonly command: readonly [string, ...string[]]
  readonly cwd: string
  readonly env: Record<string, string>
}

export interface Running {
  readonly port: number
  /** From the start of the process to its first correct answer. */
  readonly startMs: number
  /** Megabytes of resident memory, including mapped files: now, and the peak since the start. Only on Linux; NaN elsewhere. */
  readonly memory: () => { readonly now: number; readonly peak: number }
  /** Processor time so far, of all its processes and threads. Only on Linux; NaN elsewhere. */
  readonly cpuSeconds: () => number
  readonly stop: () => Promise<void>
}

/** A command of Gatehouse, exactly as `npm start` and `npm run gatehouse` run it. */
export function gatehouse(args: readonly string[], cwd: string, env: Record<string, string>): Program {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { gatehouse: string } }
  const script = scripts.gatehouse.replace('server/bin/gatehouse.js', join(root, 'server/bin/gatehouse.js'))
  const path = `${dirname(process.execPath)}:${join(root, 'node_modules/.bin')}:/usr/bin:/bin`
  return { command: ['/bin/sh', '-c', `${script} "$@"`, 'gatehouse', ...args], cwd, env: { PATH: path, ...env } }
}

/** A program of `bench/contenders`, which gets its settings as JSON. */
export const contender = (file: string, settings: object, cwd: string): Program => ({
  command: [process.execPath, join(import.meta.dirname, 'contenders', file), JSON.stringify(settings)],
  cwd,
  env: { NODE_ENV: 'production' },
})

/** Processors for the servers, in the form of taskset(1); all of them unless it is set. */
const serverCpus = process.env.BENCH_SERVER_CPUS

/** Milliseconds that each sync of the disk takes longer for the servers: strace(1) holds them up. None unless it is set. */
const syncMs = process.env.BENCH_SYNC_MS

/** The command as the environment wants it run. */
function wrapped(command: Program['command']): Program['command'] {
  const pinned = serverCpus === undefined ? command : (['taskset', '-c', serverCpus, ...command] as const)
  if (syncMs === undefined) return [...pinned]
  const syncs = 'fsync,fdatasync'
  const delay = `inject=${syncs}:delay_enter=${Number(syncMs) * 1000}`
  // Detached (-D), so that the server itself stays our child.
  return ['strace', '-D', '-f', '--seccomp-bpf', '-o', '/dev/null', '-e', `trace=${syncs}`, '-e', delay, ...pinned]
}

/** Into a file, as an operator stores it: through a pipe it would cost the load generator time. */
function launch({ command, cwd, env }: Program): { child: ChildProcess; log: string } {
  const [file, ...args] = wrapped(command)
  const log = join(cwd, 'log')
  const output = openSync(log, 'a')
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', output, output] })
  closeSync(output)
  return { child, log }
}

// Without a listener a signal ends this process at once, and what it started would go on.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.on(signal, (_: string, number: number) => process.exit(128 + number))

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null
const tail = (log: string): string => readFileSync(log, 'utf8').slice(-2000)

/** Runs a program to its end; returns the seconds. */
export async function runProgram(program: Program): Promise<number> {
  const began = performance.now()
  const { child, log } = launch(program)
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)
  const [code] = await once(child, 'exit')
  process.off('exit', killNow)
  if (code !== 0) throw new Error(`${program.command.join(' ')} failed:\n${tail(log)}`)
  return (performance.now() - began) / 1000
}

const isGood = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    })
    asked.on('error', () => resolve(false))
  })

function readMemory(pid: number | undefined): { now: number; peak: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024
    return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') }
  } catch {
    return { now: Number.NaN, peak: Number.NaN }
  }
}

function readCpuSeconds(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const own = (Number(fields[11]) + Number(fields[12])) / 100 // user and system, in ticks of 10 ms (proc_pid_stat(5))
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
    return children.reduce((sum, child) => sum + readCpuSeconds(Number(child)), own)
  } catch {
    return Number.NaN
  }
}

/** Starts a server and waits until it answers `readyPath` with 200. */
export async function startProgram(program: Program, port: number, readyPath: string): Promise<Running> {
  const began = performance.now()
  const { child, log } = launch(program)
  const killNow = () => void child.kill('SIGKILL')
  process.once('exit', killNow)
  const stop = async () => {
    process.off('exit', killNow)
    if (!isRunning(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    const killer = setTimeout(() => child.kill('SIGKILL'), stoppedWithinMs)
    await ended
    clearTimeout(killer)
  }
  while (!(await isGood(port, readyPath))) {
    if (!isRunning(child)) throw new Error(`${program.command.join(' ')} did not start:\n${tail(log)}`)
    if (performance.now() - began > readyWithinMs) {
      await stop()
      throw new Error(`${program.command.join(' ')} was not ready within ${readyWithinMs / 1000} s:\n${tail(log)}`)
    }
    await pause(5)
  }
  return {
    port,
    startMs: performance.now() - began,
    memory: () => readMemory(child.pid),
    cpuSeconds: () => readCpuSeconds(child.pid),
    stop,
  }
}

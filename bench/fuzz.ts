import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { startTestApp } from '../server/src/testing/app.ts'
import { type FuzzedRequest, type FuzzedRoute, requestTo, takesFile } from '../server/src/testing/arbitrary-request.ts'
import { formHeaders, pictureOf } from '../server/src/testing/images.ts'
import { createInstallation, newKey, root, type ServerProcess } from '../server/src/testing/server-process.ts'
import { withPostgres } from './hardening/postgres.ts'
import { say } from './measure.ts'

/** Requests to one route before the next has its turn. */
const turn = 40
const connections = 8
const patienceMs = 30_000

interface Route extends FuzzedRoute {
  readonly method: string
}

async function readRoutes(): Promise<Route[]> {
  const t = await startTestApp(null)
  const routes = t.app.routeTable.flatMap(({ url, method, schema }) =>
    typeof method !== 'string' || method === 'HEAD' || url.startsWith('/api/docs')
      ? []
      : [{ method, url, schema: (schema ?? {}) as Route['schema'] }],
  )
  await t.close()
  return routes
}

interface Sent {
  readonly status: number
  readonly line: string
  /** A 503 that says when to come back: too many ask for the same costly thing at once. */
  readonly isBusy: boolean
}

let callers = 0
function send(agent: Agent, server: ServerProcess, route: Route, fuzzed: FuzzedRequest): Promise<Sent> {
  const { id, query, headers, body } = fuzzed
  const type = takesFile(route) ? formHeaders : { 'content-type': 'application/json' }
  const payload = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body)
  const framing = payload === undefined ? {} : { ...type, 'content-length': Buffer.byteLength(payload) }
  const path = route.url.replace(/:\w+/, id) + query
  const line = `${route.method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 200)} ${String(payload).slice(0, 500)}`
  // Many networks, so that the budgets of anonymous callers are not used up at once.
  const from = { 'x-forwarded-for': `10.${(++callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}` }
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const fail = (error: Error) => resolve({ status: 0, line: `${line}: ${error.message}`, isBusy: false })
  const { hostname, port } = new URL(server.url)
  sendRequest(
    {
      hostname,
      port,
      agent,
      path,
      method: route.method,
      timeout: patienceMs,
      headers: { authorization: `Bearer ${server.key}`, ...from, ...framing, ...headers },
    },
    (response) => {
      const { statusCode: status = 0, headers } = response
      const isBusy = status === 503 && headers['retry-after'] !== undefined
      text(response).then(() => resolve({ status, line, isBusy }), fail)
    },
  )
    .on('error', fail)
    .on('timeout', () => fail(new Error('no answer')))
    .end(payload)
  return promise
}

/** Existing ids, except those that the run itself needs. */
async function findIds({ url }: Route, server: ServerProcess): Promise<string[]> {
  if (!url.includes(':')) return ['']
  const list = url.slice('/api'.length, url.indexOf('/:'))
  const { body } = await server.call(`GET ${list}?per_page=20${list === '/sessions' ? '' : '&sort=-id'}`)
  const listed: { id: unknown; user_id?: number }[] = Array.isArray(body?.data) ? body.data : []
  const ids = listed.filter(({ id, user_id }) => id !== 1 && user_id !== 1).map(({ id }) => String(id))
  return ids.length === 0 ? ['2', '3'] : ids
}

const megabytes = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Until then a process grows: threads start, code is compiled, caches fill. */
const warmUp = 50_000
const mostMegabytes = 768
/** V8 collects garbage late while memory is free, so the process collects before it is measured. */
const collectsOnSignal = `--expose-gc --import=data:text/javascript,process.on('SIGUSR2',()=>gc())`
const collectMs = 1_000
const samples = 50
/** Of the wrong answers. */
const mostTold = 20

const help = `usage: npm run bench -- fuzz [OPTION...]

Sends requests that are made from the schemas of every route, as an administrator, to the real program on each database:
no answer may be 5xx (but a 503 with Retry-After, where too many ask for an export at once) or missing, the process must not restart, and its memory without garbage must stay flat (below ${mostMegabytes} MB, and from
${(4 * warmUp).toLocaleString('en')} requests on without growth after the warm-up).

  --requests 1000000   to each database
  --seed 1             the same seed makes the same requests
  --database NAME      sqlite or postgres (default both)
`

/** Mean megabytes in each tenth of the run. Flat if the last is at most a quarter and 32 MB more than the third, after the warm-up. */
function tenthsOf(
  sizes: readonly number[],
  requests: number,
): { readonly tenths: readonly number[]; readonly isFlat: boolean } {
  const length = Math.max(1, Math.floor(sizes.length / 10))
  const tenths = Array.from({ length: 10 }, (_, index) => mean(sizes.slice(index * length, (index + 1) * length)))
  const [third = 0, last = 0] = [tenths[2], tenths[9]]
  const isWarm = requests >= 4 * warmUp
  return { tenths, isFlat: last <= mostMegabytes && (!isWarm || last <= third * 1.25 + 32) }
}

async function fuzz(postgresUrl: string | null, requests: number, seed: number): Promise<boolean> {
  const routes = await readRoutes()
  const picture = await pictureOf(1)
  const key = newKey()
  const place = await createInstallation(postgresUrl, {
    GATEHOUSE_ADMIN_API_KEY: key,
    GATEHOUSE_TRUST_PROXY: '127.0.0.1',
    GATEHOUSE_LOG_LEVEL: 'error',
    NODE_OPTIONS: collectsOnSignal,
  })
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses = new Map<number, number>()
  const wrong: string[] = []
  const sizes: number[] = []
  const tell = (line: string) => {
    if (wrong.push(line) <= mostTold) say(`  ${line}`)
  }
  const began = performance.now()
  try {
    const server = await place.start()
    const { body: settings } = await server.call('GET /settings')
    let sent = 0
    for (let round = 0; sent < requests && server.process.exitCode === null; round++) {
      for (const [index, route] of routes.entries()) {
        if (sent >= requests) break
        // Earlier requests turned features off and deleted what existed.
        await server.call('PATCH /settings', { body: { ...settings.data, force: true } })
        await server.call('POST /users', { body: { email: `made${round}.${index}@example.org` } })
        const ids = await findIds(route, server)
        const numRuns = Math.min(turn, requests - sent)
        const made = fc.sample(requestTo(route, ids, picture), { numRuns, seed: seed + round * 1_000 + index })
        const rest = made.values()
        const work = async () => {
          for (const one of rest) {
            const { status, line, isBusy } = await send(agent, server, route, one)
            statuses.set(status, (statuses.get(status) ?? 0) + 1)
            if (status === 0 || (status >= 500 && !isBusy)) tell(`${status} ${line}`)
          }
        }
        await Promise.all(Array.from({ length: connections }, work))
        sent += made.length
        if (sent >= (requests * (sizes.length + 1)) / samples && server.process.exitCode === null) {
          server.process.kill('SIGUSR2')
          await pause(collectMs)
          sizes.push(megabytes(server.process.pid))
        }
        if (Math.floor(sent / 50_000) > Math.floor((sent - made.length) / 50_000))
          say(`  ${sent} sent, ${wrong.length} wrong`)
      }
      if ((await server.call('GET /users/1')).status !== 200) tell('GET /users/1 is no longer 200')
    }
    const isAlive = server.process.exitCode === null && (await server.call('GET /users/1')).status === 200
    const { tenths, isFlat } = tenthsOf(sizes, sent)
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
    const holds = isAlive && wrong.length === 0 && isFlat
    say(
      `${holds ? 'holds ' : 'FAILS '} fuzz, ${postgresUrl === null ? 'SQLite' : 'PostgreSQL'}: ${sent} requests to ${routes.length} routes in ${((performance.now() - began) / 1000).toFixed(0)} s, ` +
        `${wrong.length} answered 5xx or not at all, ${isAlive ? 'no restart' : 'the process ended'}, ` +
        `MB by tenths: ${tenths.map((size) => size.toFixed(0)).join(' ')}; ${counts.join(', ')}`,
    )
    return holds
  } finally {
    agent.destroy()
    await place.remove()
  }
}

/** `npm run bench -- fuzz`; returns the exit code. */
export async function runFuzz(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      requests: { type: 'string', default: '1000000' },
      seed: { type: 'string', default: '1' },
      database: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const [requests, seed] = [Number(values.requests.replaceAll('_', '')), Number(values.seed)]
  if (values.help || !(requests >= 1) || !Number.isInteger(seed)) {
    process.stdout.write(help)
    return values.help ? 0 : 2
  }
  // Pages are 503 until the console is built.
  execFileSync(process.execPath, [join(root, 'console/build-if-needed.js')], { cwd: root, stdio: 'inherit' })
  const onSqlite = values.database === 'postgres' || (await fuzz(null, requests, seed))
  const onPostgres = values.database === 'sqlite' || (await withPostgres(({ url }) => fuzz(url, requests, seed)))
  return onSqlite && onPostgres ? 0 : 1
}

import { availableParallelism } from 'node:os'
import { verify } from '@node-rs/argon2'
import { hashPassword } from '../server/src/features/passwords/passwords.service.ts'
import { type LoadRequest, type LoadResult, median, runLoad } from './load.ts'
import { busySeconds, loadNow, machine, writeReport } from './report.ts'
import { type BenchServer, startServer } from './server.ts'

const users = 1_000
const readers = 4
const swimmers = 64
const roundMs = 8_000
const warmUpMs = 2_000
const rawMs = 3_000
const rounds = 3
const targetMs = 50

/** How many passwords a second this machine can check when it does nothing else, at the cost that the program hashes with. */
async function measureRawRate(): Promise<number> {
  const passwordHash = await hashPassword('the password of nobody')
  const started = performance.now()
  let checked = 0
  const work = async () => {
    while (performance.now() - started < rawMs) {
      if (await verify(passwordHash, 'some other password')) throw new Error('argon2 took a wrong password')
      checked++
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return checked / ((performance.now() - started) / 1000)
}

async function emailsOf({ port, key }: BenchServer): Promise<string[]> {
  const emails: string[] = []
  for (let page = 1; page <= users / 100; page++) {
    const url = `http://127.0.0.1:${port}/api/users?per_page=100&page=${page}&sort=id`
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    const { data } = (await response.json()) as { data: { email: string }[] }
    emails.push(...data.map(({ email }) => email))
  }
  return emails.slice(1) // not the administrator
}

function readRequest({ key }: BenchServer): (index: number) => LoadRequest {
  const headers = { authorization: `Bearer ${key}` }
  return (index) => {
    const id = 2 + ((index * 7) % users) // 7 has no divisor in common with 1,000: every user comes by
    const check = (status: number, body: string) => {
      const found = status === 200 ? (JSON.parse(body) as { data: { id: number } }).data.id : undefined
      return found === id ? undefined : `GET /api/users/${id} answered ${status}: ${body.slice(0, 200)}`
    }
    return { method: 'GET', path: `/api/users/${id}`, headers, check }
  }
}

/**
 * Wrong passwords, for users who are there and for names that are not in turn. An account takes five tries a minute from one
 * address and refuses the sixth without hashing, so nobody's turn comes again soon; `check` finds any answer but a hashed one.
 */
function loginRequest(emails: readonly string[]): () => LoadRequest {
  let index = 0
  const check = (status: number, body: string) =>
    status === 422 && body.includes('"invalid_credentials"')
      ? undefined
      : `POST /api/login answered ${status}: ${body.slice(0, 200)}`
  return () => {
    const known = index % 2 === 0
    const username = known ? emails[(index / 2) % emails.length] : `nobody${index}@example.com`
    index++
    const body = JSON.stringify({ username, password: `wrong password ${index}` })
    return { method: 'POST', path: '/api/login', headers: { 'content-type': 'application/json' }, body, check }
  }
}

function assertRight({ wrong, firstWrong, count }: LoadResult): void {
  if (wrong > 0) throw new Error(`${wrong} of ${count} answers were wrong; the first: ${firstWrong}`)
  if (count === 0) throw new Error('nothing was answered')
}

interface Round {
  readonly reads: LoadResult
  readonly logins: LoadResult | undefined
  /** Cores' worth of time: of the server, of its event loop, and of whatever else ran on the machine meanwhile. */
  readonly cores: { readonly server: number; readonly loop: number; readonly strangers: number }
  /** Share of the time in which the event loop had work but no core. */
  readonly loopWaited: number
}

/** Everything that counts upwards, in seconds. */
function readCounters(server: BenchServer) {
  const { user, system } = process.cpuUsage()
  return { ...server.usage(), own: (user + system) / 1e6, busy: busySeconds(), at: performance.now() / 1000 }
}

async function measure(server: BenchServer, login: (() => LoadRequest) | undefined, maxMs: number): Promise<Round> {
  const over = new AbortController()
  const { port } = server
  const before = readCounters(server)
  const flood = login && runLoad({ port, connections: swimmers, maxMs: maxMs * 2, next: login, signal: over.signal })
  const reads = await runLoad({ port, connections: readers, maxMs, next: readRequest(server) })
  over.abort() // not before: the flood is there until the last read
  const after = readCounters(server)
  const logins = await flood
  assertRight(reads)
  if (logins !== undefined) assertRight(logins)
  const share = (used: number) => used / (after.at - before.at)
  const [cpu, own] = [after.cpu - before.cpu, after.own - before.own]
  return {
    reads,
    logins,
    cores: {
      server: share(cpu),
      loop: share(after.loopRan - before.loopRan),
      strangers: Math.max(0, share(after.busy - before.busy - cpu - own)),
    },
    loopWaited: share(after.loopWaited - before.loopWaited),
  }
}

const ms = (value: number): string => value.toFixed(1)
const whole = (value: number): string => value.toFixed(0)

const row = (name: string, { reads, logins, cores, loopWaited }: Round): string =>
  `| ${[
    name,
    ms(reads.percentile(0.5)),
    ms(reads.percentile(0.99)),
    ms(reads.percentile(1)),
    whole(reads.perSecond),
    logins === undefined ? '' : whole(logins.perSecond),
    logins === undefined ? '' : whole(logins.percentile(0.5)),
    cores.server.toFixed(2),
    cores.loop.toFixed(2),
    whole(100 * loopWaited),
    cores.strangers.toFixed(2),
  ].join(' | ')} |`

const columns = `| round | p50 ms | p99 ms | longest ms | reads/s | sign-ins/s | sign-in p50 ms | server: cores | its event loop: cores | waits for a core, % | other programs: cores |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |`

/** Measures reads without and with a flood of sign-ins; whether the target is met. */
export async function loginFlood(): Promise<boolean> {
  const began = performance.now()
  const loadBefore = loadNow()
  const raw = await measureRawRate()
  const server = await startServer()
  const idle: Round[] = []
  const flooded: Round[] = []
  try {
    await server.run('seed', '--users', String(users))
    const login = loginRequest(await emailsOf(server))
    await measure(server, login, warmUpMs)
    for (let round = 1; round <= rounds; round++) {
      for (const [into, flood] of [
        [idle, undefined],
        [flooded, login],
      ] as const) {
        const measured = await measure(server, flood, roundMs)
        into.push(measured)
        process.stdout.write(`${row(`${flood === undefined ? 'idle' : 'flood'} ${round}`, measured)}\n`)
      }
    }
  } finally {
    await server.stop()
  }
  const middle = (of: Round[], share: number) => median(of.map(({ reads }) => reads.percentile(share)))
  const p50 = [middle(idle, 0.5), middle(flooded, 0.5)] as const
  const p99 = [middle(idle, 0.99), middle(flooded, 0.99)] as const
  const logins = median(flooded.map((round) => round.logins?.perSecond ?? Number.NaN))
  const met = p99[1] < targetMs
  const lines = idle.flatMap((round, index) => [
    row(`idle ${index + 1}`, round),
    row(`flood ${index + 1}`, flooded[index] as Round),
  ])
  const summary = `| median of ${rounds} | idle | during the flood | ratio |
| --- | ---: | ---: | ---: |
| p50 ms | ${ms(p50[0])} | ${ms(p50[1])} | ${ms(p50[1] / p50[0])} |
| p99 ms | ${ms(p99[0])} | ${ms(p99[1])} | ${ms(p99[1] / p99[0])} |

Sign-ins: ${whole(logins)} a second, each with its Argon2id; @node-rs/argon2 alone, ${availableParallelism()} at a time for ${rawMs / 1000} s before
the server started, checked ${whole(raw)} a second: ${whole((100 * logins) / raw)} % of it (of little meaning where other programs took cores). Target: p99 below ${targetMs} ms during the flood: ${met ? 'met' : 'MISSED'}.`
  const seconds = whole((performance.now() - began) / 1000)
  writeReport(
    'login-flood',
    `\`GET /api/users/{id}\` with an API key over ${readers} connections, as fast as they are answered, among ${users} users on SQLite: alone, and while
${swimmers} connections sign in with wrong passwords, for known and unknown names in turn. Every answer is checked. Rounds of ${roundMs / 1000} s,
in the order of the second table. Server and load generator share the
machine's cores, with other programs where the last column says so.

\`npm run bench -- login-flood\` on ${new Date().toISOString().slice(0, 10)}, ${seconds} s; ${machine()}; load average before it: ${loadBefore}.

${summary}

${columns}
${lines.join('\n')}`,
  )
  process.stdout.write(`\n${summary}\n`)
  return met
}

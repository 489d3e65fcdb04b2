import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Installation } from '../server/src/testing/server-process.ts'

/** How well times of one kind can be distinguished from times of another: 0.5 means not at all. */
export interface Told {
  /** The probability that a request for a known address takes longer than one for an unknown address. */
  readonly auc: number
  /** The same for two kinds of unknown addresses: what the measure shows without a difference. */
  readonly control: number
}

const warmUp = 100

/** The probability that a random one of `a` is greater than a random one of `b`; equal ones count half. */
function areaUnderCurve(a: readonly number[], b: readonly number[]): number {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))]
  all.sort((one, other) => one.value - other.value)
  let below = 0
  let area = 0
  for (let start = 0, end = 0; start < all.length; start = end) {
    while (end < all.length && all[end]?.value === all[start]?.value) end++
    const tied = all.slice(start, end)
    const tiedA = tied.filter(({ isA }) => isA).length
    area += tiedA * (below + (tied.length - tiedA) / 2)
    below += tied.length - tiedA
  }
  return area / (a.length * b.length)
}

function remind(agent: Agent, url: string, email: string): Promise<number> {
  const body = JSON.stringify({ email })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const began = performance.now()
  request(`${url}/api/password/remind`, { method: 'POST', agent, headers }, (response) =>
    text(response).then((answer) => {
      const took = performance.now() - began
      if (answer === '{"success":true}') resolve(took)
      else reject(new Error(`POST /api/password/remind answered ${response.statusCode} ${answer}`))
    }, reject),
  )
    .on('error', reject)
    .end(body)
  return promise
}

type Pair = readonly [string, string]

/** Times pairs of requests in random order; the two of a pair one after the other, on one connection. */
async function timePairs(url: string, pairs: readonly Pair[], lanes: number): Promise<number> {
  const times: [number[], number[]] = [[], []]
  const rest = pairs.values()
  const runLane = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (const pair of rest) {
      for (const which of Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)) {
        times[which].push(await remind(agent, url, pair[which]))
      }
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: lanes }, runLane))
  return areaUnderCurve(times[0].slice(warmUp), times[1].slice(warmUp))
}

/**
 * Whether a request for a reset mail reveals who has an account: known and unknown addresses in turn, over sockets. `lanes`
 * pairs run at the same time.
 */
export async function tellRemindersApart(
  place: Installation,
  { pairs, lanes }: { readonly pairs: number; readonly lanes: number },
): Promise<Told> {
  const count = pairs + warmUp
  // More than needed, because some of them are banned or unconfirmed.
  const seeded = await place.run(['seed', '--users', String(Math.ceil(count * 1.5))])
  if (seeded.code !== 0) throw new Error(seeded.stderr)
  const server = await place.start()
  const known: string[] = []
  for (let page = 1; known.length < count; page++) {
    const { body } = await server.call(`GET /users?filter[status]=Active&per_page=100&page=${page}`)
    known.push(...body.data.map(({ email }: { email: string }) => email))
  }
  // Each as long as a real one: its domain, and its local part reversed.
  const unknown = (mark: string) =>
    known.map((email) => {
      const [local = '', domain] = email.split('@')
      return `${mark}${[...local].reverse().join('').slice(1)}@${domain}`
    })
  const pair = (a: readonly string[], b: readonly string[]) =>
    a.slice(0, count).map((email, index) => [email, b[index] ?? ''] as const)
  const auc = await timePairs(server.url, pair(known, unknown('x')), lanes)
  const control = await timePairs(server.url, pair(unknown('y'), unknown('z')), lanes)
  await server.stop()
  return { auc, control }
}

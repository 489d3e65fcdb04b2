import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '@gatehouse/plugin-kit/testing'
import { openContext } from '../server/src/cli/open.ts'
import { parseConfig } from '../server/src/config.ts'
import { type Context, systemActor } from '../server/src/core/context.ts'
import { recordActivity } from '../server/src/features/activity/activity.service.ts'
import { createInstallation, newKey, type ServerProcess } from '../server/src/testing/server-process.ts'
import { withPostgres } from './hardening/postgres.ts'
import { median, percentile } from './load.ts'
import { say } from './measure.ts'
import { loadNow, machine } from './results.ts'

const help = `usage: npm run bench -- webhooks [OPTION...]

Sends events to ten endpoints: seven quick ones, one that is dead, one that takes 2 s, one that answers 500 every second time.

  --events N         how many (default 100000)
  --quick            10000
  --kills N          kill -9 so many times in between (default 0); then no requests are measured beside it
  --database NAME    sqlite or postgres (default both)
`

const quick = ['0', '1', '2', '3', '4', '5', '6']
const subjects = 1_000
const perTransaction = 500
/** Deliveries are switched on and off in turn, so that what else the machine does meets both. */
const windowsMs = { busy: 12_000, idle: 6_000 }
/** From a switch to what is measured: the workers find it out, and the slow endpoint answers what it has. */
const settleMs = 3_000
const pollMs = 100
const longestMs = 2_700_000

interface Count {
  readonly different: number
  readonly taken: number
  readonly disordered: number
}
type Counts = Readonly<Record<string, Count>>

async function startSink() {
  const child = fork(resolve(import.meta.dirname, 'webhook-sink.ts'), [...quick, 'slow', 'flaky'])
  const [ports] = (await once(child, 'message')) as [Record<string, number>]
  const read = async (): Promise<Counts> => {
    child.send('counts')
    const [counts] = (await once(child, 'message')) as [Counts]
    return counts
  }
  const urls = Object.fromEntries(Object.entries(ports).map(([path, port]) => [path, `http://127.0.0.1:${port}/`]))
  return { urls, read, stop: () => child.disconnect() }
}

/** Writes the events before the service starts, about a thousand subjects in turn. */
async function writeEvents(ctx: Context, events: number): Promise<void> {
  for (let at = 0; at < events; at += perTransaction) {
    await ctx.transaction(systemActor, async (tx) => {
      for (let index = at; index < Math.min(events, at + perTransaction); index++)
        await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id: (index % subjects) + 1 })
    })
  }
}

/** How long one request takes, repeated with a pause for so long. */
async function probe(server: ServerProcess, forMs: number): Promise<number[]> {
  const until = performance.now() + forMs
  const times: number[] = []
  while (performance.now() < until) {
    const begun = performance.now()
    const { status, text } = await server.call('GET /users/1')
    if (status !== 200)
      throw new Error(`GET /users/1 answered ${status}: ${text} ${server.said.stderr}${server.said.stdout}`)
    times.push(performance.now() - begun)
    await pause(5)
  }
  return times
}

/** Processor time of the service so far, of all threads, in seconds. */
function cpuSeconds(pid: number | undefined): number {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) / 100
}

const p99 = (times: number[]): number =>
  percentile(
    times.toSorted((a, b) => a - b),
    0.99,
  )

interface Window {
  readonly times: number[]
  readonly seconds: number
  /** Processor time of the service. */
  readonly cpu: number
  readonly counts: Counts
}

/** Requests for a few seconds, and what was delivered meanwhile. */
async function watch(server: ServerProcess, read: () => Promise<Counts>, forMs: number): Promise<Window> {
  await probe(server, settleMs)
  const [before, cpu, begun] = [await read(), cpuSeconds(server.process.pid), performance.now()]
  const times = await probe(server, forMs)
  const seconds = (performance.now() - begun) / 1_000
  const after = await read()
  const more = (path: string, name: keyof Count) => (after[path]?.[name] ?? 0) - (before[path]?.[name] ?? 0)
  const counts = Object.fromEntries(
    Object.keys(after).map((path) => [
      path,
      { different: more(path, 'different'), taken: more(path, 'taken'), disordered: more(path, 'disordered') },
    ]),
  )
  return { times, seconds, cpu: cpuSeconds(server.process.pid) - cpu, counts }
}

/** Requests beside deliveries and without them, in turns, until everything is sent. */
async function compare(
  server: ServerProcess,
  ctx: Context,
  read: () => Promise<Counts>,
  isSent: (counts: Counts) => boolean,
) {
  const rounds: { busy: Window; idle: Window }[] = []
  const begun = performance.now()
  for (;;) {
    await ctx.unguarded.updateTable('webhooks').set({ enabled: 1 }).execute()
    const busy = await watch(server, read, windowsMs.busy)
    if (isSent(await read())) return rounds
    await ctx.unguarded.updateTable('webhooks').set({ enabled: 0 }).execute()
    rounds.push({ busy, idle: await watch(server, read, windowsMs.idle) })
    if (performance.now() - begun > longestMs) throw new Error(`after too long: ${JSON.stringify(await read())}`)
  }
}

/** Kills the service evenly distributed over what is delivered, until everything is sent. Returns the last one. */
async function sendWithKills(
  start: () => Promise<ServerProcess>,
  kills: number,
  readDone: () => Promise<number>,
  events: number,
): Promise<ServerProcess> {
  let server = await start()
  const begun = performance.now()
  let killed = 0
  for (let done = 0; done < events; done = await readDone()) {
    if (killed < kills && done >= (events * (killed + 1)) / (kills + 1)) {
      killed++
      await server.stop('SIGKILL')
      server = await start()
    }
    if (performance.now() - begun > longestMs) throw new Error(`after too long: ${done} of ${events} sent`)
    await pause(pollMs)
  }
  return server
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function sayCompared(name: string, rounds: readonly { busy: Window; idle: Window }[]): void {
  const all = (kind: 'busy' | 'idle') => rounds.flatMap((round) => round[kind].times)
  const busy = rounds.map((round) => round.busy)
  const seconds = sum(busy.map((window) => window.seconds))
  const rate = sum(busy.flatMap(({ counts }) => quick.map((path) => counts[path]?.different ?? 0))) / seconds
  const messages = sum(busy.flatMap(({ counts }) => Object.values(counts).map(({ taken }) => taken)))
  const cpu = (sum(busy.map((window) => window.cpu)) / messages) * 1_000
  const ratios = rounds.map((round) => p99(round.busy.times) / p99(round.idle.times))
  /** Of an even number the worse one of the two. */
  const middle = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN
  const times = (kind: 'busy' | 'idle') =>
    `p50 ${median(all(kind)).toFixed(1)} ms, p99 ${p99(all(kind)).toFixed(1)} ms (${all(kind).length})`
  say(
    `    ${name}: ${rate.toFixed(0)}/s together, ${cpu.toFixed(2)} ms of processor time a message, requests beside it included`,
  )
  say(
    `    GET /users/1 ${times('busy')} beside it, idle ${times('idle')}; p99 of ${rounds.length} turns: x ${middle.toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(' ')}); load ${loadNow()}`,
  )
}

/** What still waits for an endpoint: messages in its queue, and events that were not looked at. */
async function countWaiting(ctx: Context, id: number): Promise<number> {
  const { db } = ctx
  const { count } = await db
    .selectFrom('webhook_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', id)
    .executeTakeFirstOrThrow()
  const behind = await db
    .selectFrom('activity_chain as c')
    .innerJoin('activity as a', 'a.id', 'c.activity_id')
    .innerJoin('webhook_queues as q', (join) => join.on('q.webhook_id', '=', id))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .whereRef('c.position', '>', 'q.cursor')
    .where('a.event', '=', 'role.updated')
    .executeTakeFirstOrThrow()
  return Number(count) + Number(behind.count)
}

async function measure(postgresUrl: string | null, events: number, kills: number): Promise<boolean> {
  const sink = await startSink()
  const settings = {
    GATEHOUSE_ADMIN_API_KEY: newKey(),
    GATEHOUSE_WEBHOOK_NETWORKS: '127.0.0.0/8',
    GATEHOUSE_LOG_LEVEL: 'error',
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  const place = await createInstallation(postgresUrl, settings)
  try {
    let server = await place.start()
    const urls = { ...sink.urls, dead: `http://127.0.0.1:${await freePort()}/` }
    const ids: Record<string, number> = {}
    for (const [path, url] of Object.entries(urls))
      ids[path] = (await server.call('POST /webhooks', { body: { url, events: ['role.updated'] } })).body.data.id
    await server.stop()
    const ctx = await openContext(parseConfig({ ...place.settings, GATEHOUSE_DATA_DIR: place.folder }))
    const writing = performance.now()
    await writeEvents(ctx, events)
    const written = (performance.now() - writing) / 1_000
    const begun = performance.now()
    const doneOf = (counts: Counts, path: string): number => counts[path]?.different ?? 0
    const doneQuick = (counts: Counts) => Math.min(...quick.map((path) => doneOf(counts, path)))
    const name = postgresUrl === null ? 'SQLite' : 'PostgreSQL'
    if (kills > 0) {
      server = await sendWithKills(place.start, kills, async () => doneQuick(await sink.read()), events)
    } else {
      server = await place.start()
      sayCompared(name, await compare(server, ctx, sink.read, (counts) => doneQuick(counts) >= events))
    }
    const seconds = (performance.now() - begun) / 1_000
    await server.stop()
    const counts = await sink.read()

    const lost: string[] = []
    for (const path of [...quick, 'slow', 'flaky', 'dead']) {
      const waiting = await countWaiting(ctx, ids[path] as number)
      // What was taken and not noted before the end still waits, too.
      if (doneOf(counts, path) + waiting < events) lost.push(`${path}: ${events - doneOf(counts, path) - waiting}`)
    }
    const disordered = Object.values(counts).reduce((sum, count) => sum + count.disordered, 0)
    const twice = quick.reduce((sum, path) => sum + (counts[path]?.taken ?? 0) - doneOf(counts, path), 0)

    await ctx.unguarded.destroy()
    say(
      `    ${name}: ${events} events, written in ${written.toFixed(1)} s, sent to seven quick endpoints in ${seconds.toFixed(0)} s${kills > 0 ? '' : ', half of it switched off'}; slow ${doneOf(counts, 'slow')}, flaky ${doneOf(counts, 'flaky')} so far; lost ${lost.length === 0 ? 0 : lost.join(', ')}; out of order ${disordered}; twice ${twice} after ${kills} kills`,
    )
    return lost.length === 0 && disordered === 0
  } finally {
    sink.stop()
    await place.remove()
  }
}

export async function runWebhooks(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string' },
      quick: { type: 'boolean', default: false },
      kills: { type: 'string', default: '0' },
      database: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const events = Number(values.events ?? (values.quick ? 10_000 : 100_000))
  say(`${machine()}, load ${loadNow()}`)
  const outcomes: boolean[] = []
  if (values.database !== 'postgres') outcomes.push(await measure(null, events, Number(values.kills)))
  if (values.database !== 'sqlite')
    await withPostgres(async ({ url }) => outcomes.push(await measure(url, events, Number(values.kills))))
  return outcomes.every(Boolean) ? 0 : 1
}

import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openContext } from '../server/src/cli/open.ts'
import { parseConfig } from '../server/src/config.ts'
import { type Context, systemActor } from '../server/src/core/context.ts'
import { recordActivity } from '../server/src/features/activity/activity.service.ts'
import { createInstallation, freePort, newKey, type ServerProcess } from '../server/src/testing/server-process.ts'
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
const idleProbes = 2_000
const warmUpMs = 2_000

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

/** How long one request takes, repeated with a pause. The first seconds, in which code is compiled, do not count. */
async function probe(server: ServerProcess, times: number[], isOver: () => boolean): Promise<void> {
  const warmUntil = performance.now() + warmUpMs
  while (!isOver()) {
    const begun = performance.now()
    const { status } = await server.call('GET /users/1')
    if (status !== 200) throw new Error(`GET /users/1 answered ${status}`)
    if (begun > warmUntil) times.push(performance.now() - begun)
    await pause(5)
  }
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
    server = await place.start()

    const begun = performance.now()
    const busy: number[] = []
    let isOver = false
    const beside = kills > 0 ? undefined : probe(server, busy, () => isOver)
    let counts: Counts = {}
    const doneOf = (path: string): number => counts[path]?.different ?? 0
    const doneQuick = () => Math.min(...quick.map(doneOf))
    for (let killed = 0; doneQuick() < events; ) {
      await pause(100)
      counts = await sink.read()
      if (killed < kills && doneQuick() >= (events * (killed + 1)) / (kills + 1)) {
        killed++
        await server.stop('SIGKILL')
        server = await place.start()
      }
      if (performance.now() - begun > 1_800_000) throw new Error(`after half an hour: ${JSON.stringify(counts)}`)
    }
    const seconds = (performance.now() - begun) / 1_000
    isOver = true
    await beside
    const cpu = cpuSeconds(server.process.pid)
    await server.stop()
    counts = await sink.read()

    const lost: string[] = []
    for (const path of [...quick, 'slow', 'flaky', 'dead']) {
      const waiting = await countWaiting(ctx, ids[path] as number)
      // What was taken and not noted before the end still waits, too.
      if (doneOf(path) + waiting < events) lost.push(`${path}: ${events - doneOf(path) - waiting}`)
    }
    const disordered = Object.values(counts).reduce((sum, count) => sum + count.disordered, 0)
    const twice = quick.reduce((sum, path) => sum + (counts[path]?.taken ?? 0) - doneOf(path), 0)

    // Nothing but the quick requests; the webhooks are switched off.
    await ctx.unguarded.updateTable('webhooks').set({ enabled: 0 }).execute()
    await ctx.unguarded.destroy()
    server = await place.start()
    const idle: number[] = []
    await probe(server, idle, () => kills > 0 || idle.length >= idleProbes)
    await server.stop()
    const rate = Math.round(events / seconds)
    const name = postgresUrl === null ? 'SQLite' : 'PostgreSQL'
    say(
      `  ${name}: ${events} events, written in ${written.toFixed(1)} s, sent to seven quick endpoints in ${seconds.toFixed(1)} s: ${rate}/s each, ${rate * quick.length}/s together`,
    )
    const messages = Object.values(counts).reduce((sum, count) => sum + count.taken, 0)
    if (kills === 0)
      say(`    ${((cpu / messages) * 1_000).toFixed(2)} ms of processor time a message, requests beside it included`)
    say(
      `    slow ${doneOf('slow')}, flaky ${doneOf('flaky')} so far; lost ${lost.length === 0 ? 0 : lost.join(', ')}; out of order ${disordered}; twice ${twice} after ${kills} kills`,
    )
    if (kills > 0) return lost.length === 0 && disordered === 0
    say(
      `    GET /users/1 p50 ${median(busy).toFixed(1)} ms, p99 ${p99(busy).toFixed(1)} ms beside it (${busy.length}), idle p50 ${median(idle).toFixed(1)} ms, p99 ${p99(idle).toFixed(1)} ms: x ${(p99(busy) / p99(idle)).toFixed(2)}; load ${loadNow()}`,
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

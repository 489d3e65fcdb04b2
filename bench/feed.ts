import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { openContext } from '../server/src/cli/open.ts'
import { parseConfig } from '../server/src/config.ts'
import { type Context, systemActor } from '../server/src/core/context.ts'
import { recordActivity } from '../server/src/features/activity/activity.service.ts'
import { createInstallation, newKey, type ServerProcess } from '../server/src/testing/server-process.ts'
import { withPostgres } from './hardening/postgres.ts'
import { say } from './measure.ts'
import { loadNow, machine } from './results.ts'

const help = `usage: npm run bench -- feed [OPTION...]

Eight writers on PostgreSQL whose transactions commit in a random order, three nodes, and two readers at each; then a thousand
clients that wait.

  --events N     how many (default 100000)
  --quick        5000
  --clients N    how many wait (default 1000)
`

const writers = 8
const nodes = 3
const readersPerNode = 2
const longestDelayMs = 20
const eventsPerTransaction = 10
const watchedMs = 5_000

/** Writes events in transactions that stay open for a while, so that they commit in another order than they began. */
async function write(ctx: Context, events: number): Promise<void> {
  const own = Math.ceil(events / writers / eventsPerTransaction)
  const one = async (writer: number): Promise<void> => {
    for (let at = 0; at < own; at++) {
      await ctx.transaction(systemActor, async (tx) => {
        for (let event = 0; event < eventsPerTransaction; event++)
          await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id: writer + 1 })
        await pause(Math.random() * longestDelayMs)
      })
    }
  }
  await Promise.all(Array.from({ length: writers }, (_, writer) => one(writer)))
}

/** Follows the feed until it has this many events; their ids in the order in which they came. */
async function follow(server: ServerProcess, events: number): Promise<number[]> {
  const ids: number[] = []
  for (let cursor = ''; ids.length < events; ) {
    const after = cursor === '' ? '' : `&after=${cursor}`
    const { status, body } = await server.call(`GET /events?types=role.updated&wait=30${after}`)
    if (status !== 200) throw new Error(`GET /events answered ${status}`)
    for (const { data } of body.data) ids.push(data.id)
    cursor = body.meta.next_cursor
  }
  return ids
}

const memoryMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** Transactions of the database within a time, while nothing is asked of the service. */
async function countQueries(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const read = async (): Promise<number> => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
    )
    return Number(rows[0].count)
  }
  await pause(1_500) // statistics come late
  const before = await read()
  await pause(watchedMs)
  const after = await read()
  await client.end()
  return after - before
}

/** Connections that each wait for an event. */
async function startWaiting({ url, key }: ServerProcess, cursor: string, clients: number): Promise<Socket[]> {
  const { port } = new URL(url)
  const request = `GET /api/events?after=${cursor}&wait=30 HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`
  const sockets: Socket[] = []
  for (let at = 0; at < clients; at++) {
    const socket = connect(Number(port), '127.0.0.1')
    await new Promise<void>((done, fail) => socket.once('connect', done).once('error', fail))
    socket.on('error', () => {}).resume()
    socket.write(request)
    sockets.push(socket)
  }
  return sockets
}

async function measureWaiting(server: ServerProcess, url: string, clients: number): Promise<boolean> {
  const last = (await server.call('GET /events?last=1')).body.meta.next_cursor
  // Once, so that what is made at the first use is not counted.
  for (const socket of await startWaiting(server, last, 50)) socket.destroy()
  await pause(1_000)
  const queriesBefore = await countQueries(url)
  const memoryBefore = memoryMb(server.process.pid)
  const sockets = await startWaiting(server, last, clients)
  await pause(1_000)
  const memory = memoryMb(server.process.pid) - memoryBefore
  const queries = await countQueries(url)
  for (const socket of sockets) socket.destroy()
  const perSecond = (count: number) => (count / (watchedMs / 1_000)).toFixed(1)
  say(
    `  ${clients} clients that wait: ${memory.toFixed(1)} MB, ${perSecond(queries)} transactions a second (${perSecond(queriesBefore)} without them)`,
  )
  return memory <= 50 && queries - queriesBefore < clients
}

async function measure(postgresUrl: string, events: number, clients: number): Promise<boolean> {
  const settings = {
    GATEHOUSE_ADMIN_API_KEY: newKey(),
    GATEHOUSE_LOG_LEVEL: 'error',
    GATEHOUSE_SECRET_KEY: randomBytes(32).toString('base64url'),
  }
  const place = await createInstallation(postgresUrl, settings)
  try {
    const servers: ServerProcess[] = []
    for (let node = 0; node < nodes; node++) servers.push(await place.start())
    const ctx = await openContext(parseConfig({ ...place.settings, GATEHOUSE_DATA_DIR: place.folder }))
    const total = Math.ceil(events / writers / eventsPerTransaction) * writers * eventsPerTransaction
    const begun = performance.now()
    const readers = servers.flatMap((server) => Array.from({ length: readersPerNode }, () => follow(server, total)))
    const writing = write(ctx, events).then(() => (performance.now() - begun) / 1_000)
    const seen = await Promise.all(readers)
    const written = await writing
    const seconds = (performance.now() - begun) / 1_000
    await ctx.unguarded.destroy()
    const [first = []] = seen
    const isOnce = seen.every((ids) => ids.length === total && new Set(ids).size === total)
    const isSame = seen.every((ids) => ids.every((id, at) => id === first[at]))
    const moved = first.filter((id, at) => at > 0 && id < (first[at - 1] ?? 0)).length
    say(
      `  ${total} events by ${writers} writers in ${written.toFixed(1)} s, read by ${seen.length} readers at ${nodes} nodes in ${seconds.toFixed(1)} s (${Math.round(total / seconds)}/s each)`,
    )
    say(
      `    each exactly once: ${isOnce ? 'yes' : 'NO'}; the same order everywhere: ${isSame ? 'yes' : 'NO'}; places where a later id came first: ${moved}; load ${loadNow()}`,
    )
    const [server] = servers as [ServerProcess]
    for (const other of servers.slice(1)) await other.stop()
    const isCheap = await measureWaiting(server, place.database.url, clients)
    await server.stop()
    return isOnce && isSame && isCheap
  } finally {
    await place.remove()
  }
}

export async function runFeed(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      events: { type: 'string' },
      quick: { type: 'boolean', default: false },
      clients: { type: 'string', default: '1000' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const events = Number(values.events ?? (values.quick ? 5_000 : 100_000))
  say(`${machine()}, load ${loadNow()}`)
  return withPostgres(async ({ url }) => ((await measure(url, events, Number(values.clients))) ? 0 : 1))
}

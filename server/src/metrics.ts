import { sql } from 'kysely'
import { Counter, Gauge, type Registry } from 'prom-client'
import { cacheUses } from './core/cache-use.ts'
import type { Context } from './core/context.ts'
import { refusals } from './core/refusals.ts'
import { fromTimestamp } from './core/time.ts'
import { readSql } from './db/dialect.ts'
import { findPoolState, findReplicas } from './db/direct.ts'
import { databaseErrors } from './db/errors-seen.ts'
import { outboxFailures } from './outbox/attempt.ts'
import { heldDueMs } from './outbox/held.ts'
import { commit, version } from './version.ts'

/** Read from the database, so the same in all processes of a machine: they are not summed. */
const shared = { aggregator: 'max' } as const

interface Waiting {
  readonly state: string
  readonly count: number
  /** When the oldest was written. */
  readonly oldest: string | null
}

const readOutbox = ({ db }: Context): Promise<Waiting[]> =>
  readSql(
    db,
    sql<Waiting>`select case when due_ms = ${heldDueMs} then 'held' else status end as state, count(*) as count,
      min(case when due_ms = ${heldDueMs} then null else created_at end) as oldest
      from deliveries where status in ('queued', 'sending') group by 1`,
    'unsure',
  )

/**
 * Adds a gauge that `set` sets from the database. If the database does not answer, the gauge has no value until the next
 * time: the last one would look current, and an error would take the whole page with it.
 */
function addFromDatabase<Label extends string>(
  registry: Registry,
  { log }: Context,
  { name, ...description }: { readonly name: string; readonly help: string; readonly labelNames?: Label[] },
  set: (gauge: Gauge<Label>) => Promise<void>,
): void {
  new Gauge<Label>({
    name,
    ...description,
    registers: [registry],
    ...shared,
    async collect() {
      try {
        await set(this)
      } catch (err) {
        this.reset()
        this.remove({}) // without labels, `reset` sets 0
        log.warn({ err, metric: name }, 'a metric could not be read from the database')
      }
    },
  })
}

function addOutbox(registry: Registry, ctx: Context): void {
  let reading: Promise<Waiting[]> | undefined
  /** One read for all that ask in one scrape. */
  const waiting = () => {
    reading ??= readOutbox(ctx).finally(() => {
      reading = undefined
    })
    return reading
  }
  addFromDatabase(
    registry,
    ctx,
    {
      name: 'gatehouse_outbox_oldest_seconds',
      help: 'How long the oldest message waits that is to be sent; 0 if none does.',
    },
    async (gauge) => {
      const rows = await waiting()
      const times = rows.flatMap(({ oldest }) => (oldest === null ? [] : [fromTimestamp(oldest)]))
      gauge.set(times.length === 0 ? 0 : Math.max(0, (ctx.clock().getTime() - Math.min(...times)) / 1_000))
    },
  )
  addFromDatabase(
    registry,
    ctx,
    {
      name: 'gatehouse_outbox_messages',
      help: 'Mail and SMS that wait: queued, sending, or held since a restore.',
      labelNames: ['state'],
    },
    async (gauge) => {
      const rows = await waiting()
      for (const state of ['queued', 'sending', 'held'])
        gauge.set({ state }, Number(rows.find((row) => row.state === state)?.count ?? 0))
    },
  )
  new Counter({
    name: 'gatehouse_outbox_failures_total',
    help: 'Attempts to send a message that failed.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [kind, count] of outboxFailures()) this.inc({ kind }, count)
    },
  })
  addFromDatabase(
    registry,
    ctx,
    { name: 'gatehouse_webhook_messages', help: 'Webhook messages that wait to be sent or tried again.' },
    async (gauge) => {
      const [row] = await readSql(
        ctx.db,
        sql<{ count: number }>`select count(*) as count from webhook_messages`,
        'unsure',
      )
      gauge.set(Number(row?.count ?? 0))
    },
  )
}

function addDatabase(registry: Registry, { db }: Context): void {
  const registers = [registry]
  new Gauge({
    name: 'gatehouse_db_pool_connections',
    help: 'Connections to PostgreSQL: used, idle, and requests that wait for one.',
    labelNames: ['state'],
    registers,
    collect() {
      const pool = findPoolState(db) ?? { used: 0, idle: 0, waiting: 0 }
      for (const [state, count] of Object.entries(pool)) this.set({ state }, count)
    },
  })
  new Counter({
    name: 'gatehouse_db_errors_total',
    help: 'What the database refused, by the code of the error. Collisions (40P01, 40001, 55P03) are tried again.',
    labelNames: ['code'],
    registers,
    collect() {
      this.reset()
      for (const [code, count] of databaseErrors()) this.inc({ code }, count)
    },
  })
  new Gauge({
    name: 'gatehouse_replica_lag_seconds',
    help: 'How far each replica is behind; +Inf while it is not known.',
    labelNames: ['replica'],
    registers,
    ...shared,
    collect() {
      this.reset()
      for (const { host, lagSeconds } of findReplicas(db)?.states() ?? []) this.set({ replica: host }, lagSeconds)
    },
  })
  new Gauge({
    name: 'gatehouse_replica_used',
    help: '1 for a replica that is read from.',
    labelNames: ['replica'],
    registers,
    ...shared,
    collect() {
      this.reset()
      for (const { host, isUsed } of findReplicas(db)?.states() ?? []) this.set({ replica: host }, isUsed ? 1 : 0)
    },
  })
}

function addCaches(registry: Registry): void {
  const registers = [registry]
  const labelNames = ['cache']
  new Counter({
    name: 'gatehouse_cache_hits_total',
    help: 'How often a cache had what was asked for.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [cache, { hits }] of cacheUses()) this.inc({ cache }, hits)
    },
  })
  new Counter({
    name: 'gatehouse_cache_misses_total',
    help: 'How often a cache did not have what was asked for, or no longer in force.',
    labelNames,
    registers,
    collect() {
      this.reset()
      for (const [cache, { misses }] of cacheUses()) this.inc({ cache }, misses)
    },
  })
  new Gauge({
    name: 'gatehouse_cache_entries',
    help: 'How many entries a cache has.',
    labelNames,
    registers,
    collect() {
      for (const [cache, { entries }] of cacheUses()) this.set({ cache }, entries)
    },
  })
}

/** Adds metrics of the outbox, the database, the caches, refused requests, and the build. */
export function addServiceMetrics(registry: Registry, ctx: Context): void {
  addDatabase(registry, ctx) // first: what the others read here must not count as waiting for a connection
  addOutbox(registry, ctx)
  addCaches(registry)
  new Counter({
    name: 'gatehouse_refused_total',
    help: 'Refused requests by the code of the error.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [reason, count] of refusals()) this.inc({ reason }, count)
    },
  })
  new Gauge({
    name: 'gatehouse_build_info',
    help: 'Always 1; what is running.',
    labelNames: ['version', 'commit', 'node'],
    registers: [registry],
    aggregator: 'first',
  }).set({ version, commit, node: process.version }, 1)
}

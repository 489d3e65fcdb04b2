import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import type { Context } from '../core/context.ts'
import { toTimestamp } from '../core/time.ts'
import type { RootDb } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { version } from '../version.ts'
import type { NodesTable } from './nodes.table.ts'

const beatMs = 5_000
/** A node that was not seen for this long no longer runs. */
const deadAfterMs = 20_000

/** The database's own time, which is the same for all nodes. */
const now = (db: RootDb) =>
  isPostgres(db) ? sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint` : sql<number>`${Date.now()}`

/** This process as one of the nodes of a database. */
export interface Node {
  readonly leave: () => Promise<void>
}

/** Notes in the database that this node runs, again and again until it leaves. */
export async function joinNodes({ unguarded: db, log, clock }: Context): Promise<Node> {
  const id = randomUUID()
  const started_at = toTimestamp(clock())

  async function beat(): Promise<void> {
    const row = { id, host: hostname(), process: process.pid, version, started_at, seen_ms: now(db) }
    await db
      .insertInto('nodes')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_ms: row.seen_ms }))
      .execute()
  }

  await db
    .deleteFrom('nodes')
    .where('seen_ms', '<', sql<number>`${now(db)} - ${deadAfterMs}`)
    .execute()
  await beat()
  let beating: Promise<void> | undefined
  const timer = setInterval(() => {
    beating ??= beat()
      .catch((err) => log.warn({ err }, 'the node could not be noted as running'))
      .finally(() => {
        beating = undefined
      })
  }, beatMs).unref()
  return {
    leave: async () => {
      clearInterval(timer)
      await beating
      await db
        .deleteFrom('nodes')
        .where('id', '=', id)
        .execute()
        .catch(() => {}) // it is forgotten by itself
    },
  }
}

export type SeenNode = Pick<NodesTable, 'host' | 'process' | 'seen_ms'>

const isGone = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Throws ConfigError while one of these nodes runs. `nowMs` is the database's time. */
export function refuseRunning(nodes: readonly SeenNode[], nowMs: number): void {
  // A time far in the future comes from a clock that was ahead: that node is not alive.
  const isRecent = ({ seen_ms }: SeenNode) => Math.abs(Number(seen_ms) - nowMs) < deadAfterMs
  const running = nodes.find((row) => isRecent(row) && !(row.host === hostname() && isGone(Number(row.process))))
  if (running !== undefined) {
    throw new ConfigError(
      `a node of this database runs (process ${running.process} on ${running.host}). Stop every node; one that was killed counts as running for ${deadAfterMs / 1_000} s.`,
    )
  }
}

/** Throws ConfigError while a node of this database runs. */
export async function assertNoneRuns(db: RootDb): Promise<void> {
  const nodes = await db
    .selectFrom('nodes')
    .select(['host', 'process', 'seen_ms', now(db).as('now')])
    .execute()
  refuseRunning(nodes, Number(nodes[0]?.now))
}

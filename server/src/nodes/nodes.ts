import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Context } from '../core/context.ts'
import { toTimestamp } from '../core/time.ts'
import type { RootDb } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { version } from '../version.ts'

const beatMs = 5_000
/** A node that was not seen for this long no longer runs. */
export const deadAfterMs = 20_000

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

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { Job } from '../../core/jobs.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { eraseDeleted } from '../../db/direct.ts'

/** The name of the job, for `Jobs.wake`. */
export const searchPurgeJob = 'maintenance.search'

/** Each step writes about this many pages of 4 KiB, which takes a millisecond or two. */
const pagesAtOnce = 8
/** The pause after a step, and after a whole merge, as a multiple of the time that it took. */
const restFactor = 9
const restFactorAfterAll = 100
const maxRestMs = 1_200_000

/**
 * FTS5 keeps its index in segments. A deleted or replaced text is only marked in a new segment; it is gone once all segments
 * are merged into one. This job merges them in small steps: every ten minutes, and when a user is deleted unless the last merge
 * was recent. PostgreSQL's vacuum does the same.
 */
export function searchPurge({ unguarded: db }: Context): Job {
  let isMerging = false
  let busyMs = 0
  let restUntilMs = 0
  return {
    name: searchPurgeJob,
    everySeconds: 600,
    startsLater: true,
    run: async (stop) => {
      if (isPostgres(db)) return false
      if (!isMerging && (performance.now() < restUntilMs || (await countSegments(db)) < 2)) return false
      const begunMs = performance.now()
      const hasMore = await db.transaction().execute((tx) => merge(tx, isMerging ? pagesAtOnce : -pagesAtOnce))
      const tookMs = performance.now() - begunMs
      isMerging = hasMore
      busyMs += tookMs
      if (hasMore) await pause(tookMs * restFactor, undefined, { signal: stop }).catch(() => {})
      else {
        restUntilMs = performance.now() + Math.min(busyMs * restFactorAfterAll, maxRestMs)
        busyMs = 0
        eraseDeleted(db)
      }
      return hasMore
    },
  }
}

async function countSegments(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from users_search_idx`.execute(db)
  return rows[0]?.n ?? 0
}

/** Runs one step of a merge. A negative number of pages starts a merge of all segments. Returns true if there is more to do. */
async function merge(db: Db, pages: number): Promise<boolean> {
  const before = await totalChanges(db)
  await sql`insert into users_search (users_search, rank) values ('merge', ${BigInt(pages)})`.execute(db)
  return (await totalChanges(db)) - before > 1 // the insert itself counts as one (SQLite, FTS5, "The 'merge' command")
}

async function totalChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db)
  return rows[0]?.n ?? 0
}

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { Job } from '../../core/jobs.ts'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { eraseDeleted } from '../../db/direct.ts'

/** About this many pages of 4 KiB are written at once: a millisecond. */
const pagesAtOnce = 8
/** After each piece it rests for so many times as long as that took, and after all of it for so many times as long as all took. */
const restFactor = 9
const restFactorAfterAll = 100
const maxRestMs = 1_200_000

/**
 * FTS5 keeps an index in segments and marks what is deleted or replaced in a new one; the words themselves are gone when the
 * segments are merged into one. This job does so in small pieces, soon after a user was deleted where the index is small, and
 * every ten minutes. PostgreSQL does the same by vacuum.
 */
export function searchPurge({ unguarded: db }: Context): Job {
  let isMerging = false
  let busyMs = 0
  let restUntilMs = 0
  return {
    name: 'maintenance.search',
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

/** Does a piece of a merge; a negative number of pages begins one of all segments. True while there is more to do. */
async function merge(db: Db, pages: number): Promise<boolean> {
  const before = await totalChanges(db)
  await sql`insert into users_search (users_search, rank) values ('merge', ${BigInt(pages)})`.execute(db)
  return (await totalChanges(db)) - before > 1 // the insert itself counts as one (SQLite, FTS5, "The 'merge' command")
}

async function totalChanges(db: Db): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db)
  return rows[0]?.n ?? 0
}

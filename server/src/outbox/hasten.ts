import { sql } from 'kysely'
import { clockToleranceMs } from '../core/time.ts'
import type { Db } from '../db/database.ts'
import { longestRetryMs } from './attempt.ts'
import { heldDueMs } from './held.ts'
import { leaseMs } from './outbox.queries.ts'

/** Makes messages due now that wait longer than they can, because a clock was set back. */
export async function hastenDeliveries(db: Db, now: number): Promise<void> {
  const longest = sql`case when status = 'sending' then ${sql.lit(leaseMs)} when attempts = 0 then 0 else ${sql.lit(longestRetryMs)} end`
  await sql`update deliveries set due_ms = ${now}
    where status in ('queued', 'sending') and due_ms <> ${heldDueMs} and due_ms > cast(${now + clockToleranceMs} as bigint) + ${longest}`.execute(
    db,
  )
}

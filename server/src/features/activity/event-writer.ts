import { sql } from 'kysely'
import type { Context, RecordedEvent } from '../../core/context.ts'
import type { Job } from '../../core/jobs.ts'
import type { EventWriter } from '../../core/transaction.ts'
import type { Db } from '../../db/database.ts'
import { compileSql, isPostgres } from '../../db/dialect.ts'
import { toWriteBehind } from '../../db/write-behind.ts'
import { shownColumns } from '../accounts/users.table.ts'
import { sequence } from './sequencer.ts'

export const sequenceJob = 'activity.sequence'
/** Rows that are committed within this time are put in order together. */
const gatherMs = 50

/** Puts committed events in order; other nodes find them within a second. */
export const sequencerJob = (ctx: Context, onEvents: () => void): Job => ({
  name: sequenceJob,
  everySeconds: 1,
  run: () => sequence(ctx, onEvents),
})

/** The user as it is now, in one statement with the insert. */
async function keepUser(db: Db, { id, userId }: RecordedEvent): Promise<void> {
  if (userId === null) return
  const fields = sql.join(shownColumns.map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}`))
  const object = isPostgres(db) ? sql`json_build_object(${fields})::text` : sql`json_object(${fields})`
  const insert = sql`insert into event_users (activity_id, user_id, "user")
    select cast(${id} as bigint), id, ${object} from users where id = ${userId}`
  await db.executeQuery(toWriteBehind(compileSql(db, insert)))
}

/**
 * What leaves the service is written with the change: the event waits for its place in the order (`recordEvent`), and here
 * its user is kept as the change left them. From there it cannot be lost.
 */
export function createEventWriter(ctx: Pick<Context, 'jobs'>): EventWriter {
  let isPlanned = false
  return {
    write: async (db, recorded) => {
      for (const event of recorded) await keepUser(db, event)
    },
    wake: () => {
      if (isPlanned) return
      isPlanned = true
      setTimeout(() => {
        isPlanned = false
        ctx.jobs.wake(sequenceJob)
      }, gatherMs).unref()
    },
  }
}

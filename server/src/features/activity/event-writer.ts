import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { Job } from '../../core/jobs.ts'
import type { EventWriter } from '../../core/transaction.ts'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { prepareWrite } from '../../db/prepare.ts'
import { rowsOfJson } from '../../db/rows.ts'
import { shownColumns } from '../accounts/users.table.ts'
import { activityColumnNames, insertActivity, toRow } from './activity.service.ts'
import { sequence } from './sequencer.ts'

export const sequenceJob = 'activity.sequence'
/** Rows that are committed within this time are put in order together. */
const gatherMs = 50

/** Puts committed events in order; other nodes find them within a second. */
export const sequencerJob = (ctx: Context, onEvents: () => void): Job => ({
  name: sequenceJob,
  everySeconds: 1,
  run: () => sequence(ctx, { onEvents }),
})

const fields = sql.join(shownColumns.map((column) => sql`${sql.lit(column)}, ${sql.ref(column)}`))

/**
 * A user as JSON, as the change leaves them; null for other subjects. The lock keeps a deletion from missing what is written for
 * the user at the same time.
 */
const userOf = (db: ReadDb, id: RawBuilder<unknown>): RawBuilder<unknown> =>
  isPostgres(db)
    ? sql`(select json_build_object(${fields})::text from users where users.id = ${id} for key share)`
    : sql`(select json_object(${fields}) from users where users.id = ${id})`

/** Events that stand in the audit log. */
interface Pending {
  readonly id: number
  readonly userId: number | null
  readonly finalMs: number
}

const insertPending = prepareWrite((db, pending: string) => {
  const columns = { id: 'integer', userId: 'integer', finalMs: 'integer' } as const
  return sql`insert into activity_pending (activity_id, due_ms, "user")
    select given.id, given."finalMs", ${userOf(db, sql`given."userId"`)} from ${rowsOfJson(db, columns, pending)}`
})

/** On PostgreSQL a row of the audit log and its row here are one statement, whose result nobody waits for. */
const insertWithPending = prepareWrite((db, finalMs: number, ...row: unknown[]) => {
  const names = sql.join(activityColumnNames.map((name) => sql.ref(name)))
  const user = sql`case when subject_type = 'user' then ${userOf(db, sql`added.subject_id`)} end`
  return sql`with added as (insert into activity (${names}) values (${sql.join(row)}) returning id, subject_type, subject_id)
    insert into activity_pending (activity_id, due_ms, "user") select id, ${finalMs}::bigint, ${user} from added`
})

/**
 * What leaves the service is written with the change: each event waits for its place in the order, with its user as the change
 * left them. From there it cannot be lost.
 */
export function createEventWriter(ctx: Pick<Context, 'jobs' | 'clock'>): EventWriter {
  let isPlanned = false
  return {
    write: async (db, recorded) => {
      const pending: Pending[] = []
      for (const { id, event, finalMs } of recorded) {
        const row = toRow(ctx, event)
        const userId = event.subject.type === 'user' ? event.subject.id : null
        if (id !== undefined) pending.push({ id, userId, finalMs })
        else if (!isPostgres(db)) pending.push({ id: await insertActivity(db, row), userId, finalMs })
        else await insertWithPending(db, finalMs, ...activityColumnNames.map((name) => row[name]))
      }
      if (pending.length > 0) await insertPending(db, JSON.stringify(pending))
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

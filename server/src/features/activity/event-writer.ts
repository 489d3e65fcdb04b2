import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import type { Job } from '../../core/jobs.ts'
import type { EventWriter } from '../../core/transaction.ts'
import { isPostgres } from '../../db/dialect.ts'
import { prepareWrite } from '../../db/prepare.ts'
import { rowsOfJson } from '../../db/rows.ts'
import { shownColumns } from '../accounts/users.table.ts'
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

/** All events of a transaction (`RecordedEvent[]`, JSON), each with its user as the change leaves them. */
const insertPending = prepareWrite((db, events: string) => {
  const columns = { id: 'integer', userId: 'integer', finalMs: 'integer' } as const
  // The lock keeps a deletion from missing what is written for the user at the same time.
  const user = isPostgres(db)
    ? sql`select json_build_object(${fields})::text from users where id = given."userId" for key share`
    : sql`select json_object(${fields}) from users where id = given."userId"`
  return sql`insert into activity_pending (activity_id, due_ms, "user")
    select given.id, given."finalMs", (${user}) from ${rowsOfJson(db, columns, events)}`
})

/**
 * What leaves the service is written with the change: each event waits for its place in the order, with its user as the change
 * left them. From there it cannot be lost.
 */
export function createEventWriter(ctx: Pick<Context, 'jobs'>): EventWriter {
  let isPlanned = false
  return {
    write: (db, recorded) => insertPending(db, JSON.stringify(recorded)),
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

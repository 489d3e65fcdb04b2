import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor, Context, Reads, Tx } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import type { PermissionSet } from '../../core/permissions.ts'
import { daysAgo, toTimestamp } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { forUpdate } from '../../db/dialect.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { jobErrors } from './jobs.errors.ts'
import type { Job } from './jobs.schemas.ts'
import type { JobRow, JobStatus, JobType } from './jobs.table.ts'
import { removeUpload } from './uploads.ts'

/** The name of the job of the process that runs them, for `Jobs.wake`. */
export const jobRunnerName = 'jobs.run'

type ShownJob = Omit<JobRow, 'position' | 'held' | 'scope' | 'session_id' | 'claim' | 'lease_ms' | 'changed_ms'>

const undoable: readonly string[] = ['ban', 'activate', 'set_role']

/** True for a job that no node runs any more. */
export const hasEnded = (status: JobStatus): boolean => status !== 'queued' && status !== 'running'

/** The job as answers show it. */
export function toJob(row: ShownJob): Job {
  const { action = null, job_id = null } = JSON.parse(row.options) as { action?: string; job_id?: number }
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    dry_run: row.dry_run === 1,
    total: row.total,
    done: row.done,
    created: row.created,
    updated: row.updated,
    skipped: row.skipped,
    failed: row.failed,
    action,
    message: row.message,
    can_undo:
      row.type === 'users.bulk' &&
      hasEnded(row.status) &&
      row.updated > 0 &&
      row.undone_by === null &&
      undoable.includes(action ?? ''),
    undone_by: row.undone_by,
    undoes: row.type === 'users.undo' ? job_id : null,
    created_by: row.created_by,
    created_at: row.created_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
  }
}

export interface NewJob {
  readonly type: JobType
  readonly options: object
  readonly total: number | null
  readonly dryRun?: boolean
}

const listOf = (set: PermissionSet): string => JSON.stringify(set === 'all' ? 'all' : [...set].toSorted())

/** A stored set of permissions. */
export function permissionsFrom(json: string): PermissionSet {
  const stored = JSON.parse(json) as 'all' | string[]
  return stored === 'all' ? 'all' : new Set(stored)
}

/** Queues a job on behalf of the transaction's actor. Wake `jobRunnerName` after the commit. */
export function createJob(tx: Tx, { type, options, total, dryRun = false }: NewJob): Promise<JobRow> {
  const { actor } = tx
  const now = tx.clock()
  return tx.db
    .insertInto('jobs')
    .values({
      type,
      status: 'queued',
      dry_run: dryRun ? 1 : 0,
      total,
      options: JSON.stringify(options),
      held: listOf(actor.permissions),
      scope: listOf(actor.scope),
      created_by: actor.userId,
      api_key_id: actor.apiKeyId,
      session_id: actor.sessionId,
      ip_address: actor.origin.ip,
      user_agent: actor.origin.userAgent,
      request_id: actor.origin.requestId,
      changed_ms: now.getTime(),
      created_at: toTimestamp(now),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Throws `not_found`. */
export async function getJob(db: ReadDb, id: number): Promise<JobRow> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()
  if (row === undefined) throw errors.not_found()
  return row
}

/** The same, locked until the transaction ends. */
export async function getLockedJob(db: ReadDb, id: number): Promise<JobRow> {
  const row = await forUpdate(db)(db.selectFrom('jobs').selectAll().where('id', '=', id)).executeTakeFirst()
  if (row === undefined) throw errors.not_found()
  return row
}

/** Ends a job at once; what it has done stays. A node that runs it loses it with its next step. */
export async function cancelJob(ctx: Context, actor: Actor, id: number): Promise<void> {
  const cancelled = await ctx.backgroundTransaction(actor, async (tx) => {
    const job = await getLockedJob(tx.db, id)
    if (hasEnded(job.status)) throw jobErrors.job_finished()
    await endJob(tx, job, 'cancelled')
    return job
  })
  await removeFile(ctx, cancelled)
}

/** Removes the file that a job read, once it has ended. */
export async function removeFile(ctx: Context, { options }: Pick<JobRow, 'options'>): Promise<void> {
  const { upload } = JSON.parse(options) as { upload?: string }
  if (upload !== undefined) await removeUpload(ctx, upload)
}

/** Writes the end of a job, and what it did into the audit log. */
export async function endJob(tx: Tx, job: JobRow, status: JobStatus, message: string | null = null): Promise<void> {
  const now = tx.clock()
  await tx.db
    .updateTable('jobs')
    .set({ status, message, finished_at: toTimestamp(now), changed_ms: now.getTime(), claim: null, lease_ms: 0 })
    .where('id', '=', job.id)
    .execute()
  await tx.db.deleteFrom('job_drafts').where('job_id', '=', job.id).execute()
  // Another undo can be asked for where this one was cut short.
  if (job.type === 'users.undo' && status !== 'done')
    await tx.db
      .updateTable('jobs')
      .set({ undone_by: null, changed_ms: now.getTime() })
      .where('undone_by', '=', job.id)
      .execute()
  if (job.dry_run === 1 || job.done === 0) return
  const { created, updated, skipped, failed } = job
  const counts = { status, created, updated, skipped, failed }
  const subject = { type: 'job', id: job.id } as const
  if (job.type === 'users.import') return recordActivity(tx, tx.actor, 'users.imported', subject, counts)
  const { action = 'undo' } = JSON.parse(job.options) as { action?: string }
  await recordActivity(tx, tx.actor, 'users.bulk_changed', subject, { action, ...counts })
}

/** What is wrong with a line, or with the job. */
export interface NewJobError {
  readonly line: number | null
  readonly field: string | null
  readonly code: string
  readonly message: string
}

/** PostgreSQL accepts at most 65,535 values in a statement, SQLite 32,766. */
const errorsAtOnce = 1_000

export async function addJobErrors(db: Db, jobId: number, found: readonly NewJobError[]): Promise<void> {
  for (let at = 0; at < found.length; at += errorsAtOnce) {
    const rows = found.slice(at, at + errorsAtOnce).map((error) => ({ job_id: jobId, ...error }))
    await db.insertInto('job_errors').values(rows).execute()
  }
}

/** The errors of one job, as the condition of a list. */
export const jobErrorScope = (jobId: number): RawBuilder<SqlBool> => sql`job_id = ${jobId}`

const keptDays = 90

/** Removes jobs that ended long ago, with their errors and what is needed to take them back. */
export async function removeOldJobs({ unguarded: db, clock }: Context): Promise<void> {
  const old = db.selectFrom('jobs').select('id').where('finished_at', '<', daysAgo(clock, keptDays))
  for (const { id } of await old.execute()) {
    await deleteInPieces(db, 'job_errors', ['id'], (eb) => eb('job_id', '=', id))
    await deleteInPieces(db, 'job_changes', ['job_id', 'user_id'], (eb) => eb('job_id', '=', id))
    await db.deleteFrom('jobs').where('id', '=', id).execute()
  }
}

/** The jobs that changed last, after a moment, in the order of their changes. */
export async function changedJobs({ db }: Reads, afterMs: number, limit: number): Promise<JobRow[]> {
  const last = db.selectFrom('jobs').selectAll().where('changed_ms', '>', afterMs).orderBy('changed_ms', 'desc')
  return (await last.limit(limit).execute()).toReversed()
}

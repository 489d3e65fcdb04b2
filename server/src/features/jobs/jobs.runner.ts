import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { SelectQueryBuilder } from 'kysely'
import type { Actor, Context, Reads, Tx } from '../../core/context.ts'
import { systemActor } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Job } from '../../core/jobs.ts'
import { covers, holds, intersection } from '../../core/permissions.ts'
import { clockToleranceMs, isWindowOver, toTimestamp } from '../../core/time.ts'
import { forUpdate, isPostgres } from '../../db/dialect.ts'
import { findRolePermissions } from '../roles/roles.service.ts'
import { jobErrors } from './jobs.errors.ts'
import {
  addJobErrors,
  endJob,
  getLockedJob,
  jobRunnerName,
  type NewJobError,
  permissionsFrom,
  removeFile,
} from './jobs.service.ts'
import type { JobRow, JobType } from './jobs.table.ts'

export interface Counts {
  readonly done: number
  readonly created?: number
  readonly updated?: number
  readonly skipped?: number
  readonly failed?: number
  readonly errors?: readonly NewJobError[]
}

/** A piece of work. */
export interface Step {
  /** Where the job goes on after it. */
  readonly position: unknown
  readonly isLast: boolean
  /** Does it; retried after a conflict, so it must do nothing except queries. `tx.actor` is the job's author. */
  readonly apply: (tx: Tx) => Promise<Counts>
}

/** How jobs of one type are run. */
export interface JobHandler {
  readonly type: JobType
  /** Prepares the piece at the job's position, outside of any transaction and while the one before is still being done. */
  readonly next: (ctx: Context, job: JobRow) => Promise<Step>
  /** Called after its end. */
  readonly cleanUp?: (ctx: Context, job: JobRow) => Promise<void>
}

/** A killed node's job is taken over after this time. */
const leaseMs = 6_000
const renewMs = 2_000
/** After this many errors in a row a job is given up. */
const maxFailures = 5

/** The author of a job with the permissions that they have now; throws if they may not go on. */
export async function authorOf(from: Reads, job: JobRow): Promise<Actor> {
  const { ip_address: ip, user_agent: userAgent, request_id: requestId } = job
  const origin = { ip, userAgent, requestId }
  if (job.created_by === null) return { ...systemActor, origin }
  const { db } = from
  const locked = <D, T extends keyof D, O>(row: SelectQueryBuilder<D, T, O>): SelectQueryBuilder<D, T, O> =>
    isPostgres(db) && 'insertInto' in db ? row.forShare() : row
  const author = db.selectFrom('users').select(['status', 'role_id']).where('id', '=', job.created_by)
  const user = await locked(author).executeTakeFirst()
  if (user?.status !== 'Active') throw jobErrors.job_author_gone()
  const key =
    job.api_key_id === null ? undefined : db.selectFrom('api_keys').select('id').where('id', '=', job.api_key_id)
  if (key !== undefined && (await locked(key).executeTakeFirst()) === undefined) throw jobErrors.job_key_revoked()
  const scope = permissionsFrom(job.scope)
  const permissions = intersection(await findRolePermissions(from.db, user.role_id), scope)
  if (!holds(permissions, 'users.manage') || !covers(permissions, permissionsFrom(job.held)))
    throw jobErrors.job_author_demoted()
  return { ...systemActor, userId: job.created_by, apiKeyId: job.api_key_id, permissions, scope, origin }
}

/** Thrown where another node has taken the job over, or somebody has cancelled it. */
class LostJob extends Error {}

/** Runs the jobs of the database, one at a time over all nodes, in the order of their creation. */
export function runJobs(ctx: Context, handlers: readonly JobHandler[]): Job {
  const claim = randomUUID()
  let failures = 0

  const system = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => ctx.transaction(systemActor, work)

  /** Takes the oldest job that has not ended, unless another node runs it. */
  const take = (): Promise<JobRow | undefined> =>
    system(async ({ db, clock }) => {
      const oldest = await forUpdate(db)(
        db.selectFrom('jobs').selectAll().where('status', 'in', ['queued', 'running']).orderBy('id').limit(1),
      ).executeTakeFirst()
      const now = clock().getTime()
      if (oldest === undefined) return undefined
      if (oldest.claim !== claim && !isWindowOver(now, oldest.lease_ms, leaseMs, clockToleranceMs)) return undefined
      return db
        .updateTable('jobs')
        .set({
          status: 'running',
          claim,
          lease_ms: now + leaseMs,
          started_at: oldest.started_at ?? toTimestamp(clock()),
          changed_ms: now,
        })
        .where('id', '=', oldest.id)
        .returningAll()
        .executeTakeFirst()
    })

  const renew = async (id: number): Promise<void> => {
    await ctx.unguarded
      .updateTable('jobs')
      .set({ lease_ms: ctx.clock().getTime() + leaseMs })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute()
  }

  const isOurs = async (id: number): Promise<boolean> => {
    const row = await ctx.db.selectFrom('jobs').select(['status', 'claim']).where('id', '=', id).executeTakeFirst()
    return row?.status === 'running' && row.claim === claim
  }

  const release = async (id: number): Promise<void> => {
    await ctx.unguarded
      .updateTable('jobs')
      .set({ lease_ms: 0, claim: null })
      .where('id', '=', id)
      .where('claim', '=', claim)
      .execute()
  }

  /** The job, if it is still ours; locked, so that nobody takes it over or cancels it before the commit. */
  const hold = async (tx: Tx, id: number): Promise<JobRow> => {
    const job = await getLockedJob(tx.db, id)
    if (job.status !== 'running' || job.claim !== claim) throw new LostJob()
    return job
  }

  /** Does one step: what it changes and how far the job is are one transaction, so no row is applied twice. */
  const perform = (job: JobRow, step: Step): Promise<JobRow> =>
    ctx.backgroundTransaction(systemActor, async (tx) => {
      const held = await hold(tx, job.id)
      const asAuthor: Tx = { ...tx, actor: await authorOf(tx, held) }
      const { done, created = 0, updated = 0, skipped = 0, failed = 0, errors = [] } = await step.apply(asAuthor)
      await addJobErrors(tx.db, job.id, errors)
      const nowMs = tx.clock().getTime()
      const after = await tx.db
        .updateTable('jobs')
        .set({
          done: held.done + done,
          created: held.created + created,
          updated: held.updated + updated,
          skipped: held.skipped + skipped,
          failed: held.failed + failed,
          position: JSON.stringify(step.position),
          lease_ms: nowMs + leaseMs,
          changed_ms: nowMs,
        })
        .where('id', '=', job.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      if (step.isLast) await endJob(asAuthor, after, 'done')
      return step.isLast ? { ...after, status: 'done' } : after
    })

  /** Prepares each step while the database does the one before. */
  const prepare = (job: JobRow, handler: JobHandler): Promise<Step> => {
    const step = handler.next(ctx, job)
    step.catch(() => {}) // thrown where it is waited for, if that comes to pass
    return step
  }

  const fail = (job: JobRow, { code, message }: ServiceError): Promise<void> =>
    system(async (tx) => {
      const held = await hold(tx, job.id)
      await addJobErrors(tx.db, job.id, [{ line: null, field: null, code, message }])
      const { created_by: userId, api_key_id: apiKeyId } = held
      await endJob({ ...tx, actor: { ...tx.actor, userId, apiKeyId } }, held, 'failed', message)
    })

  const run = async (taken: JobRow, stop: AbortSignal): Promise<void> => {
    const handler = handlers.find(({ type }) => type === taken.type)
    if (handler === undefined) return fail(taken, jobErrors.job_failed())
    let job = taken
    const renewal = setInterval(() => void renew(job.id).catch(() => {}), renewMs).unref()
    try {
      let next = prepare(job, handler)
      while (job.status === 'running') {
        if (stop.aborted) return await release(job.id)
        const step = await next
        if (!step.isLast) next = prepare({ ...job, position: JSON.stringify(step.position) }, handler)
        job = await perform(job, step)
        failures = 0
        await setImmediate()
      }
    } catch (error) {
      // Who took it, or cancelled it, has written so; its file may be gone already.
      if (error instanceof LostJob || !(await isOurs(job.id))) return
      if (!(error instanceof ServiceError) || error.status === 503) {
        failures++
        if (failures < maxFailures) throw error
        ctx.log.error({ err: error, job: job.id }, 'a job was given up')
      }
      failures = 0
      await fail(job, error instanceof ServiceError && error.status !== 503 ? error : jobErrors.job_failed())
    } finally {
      clearInterval(renewal)
    }
    await removeFile(ctx, job)
    await handler.cleanUp?.(ctx, job)
  }

  return {
    name: jobRunnerName,
    everySeconds: 2,
    run: async (stop) => {
      const job = await take()
      if (job === undefined) return false
      await run(job, stop)
      return true
    },
  }
}

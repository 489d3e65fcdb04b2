import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate } from 'node:timers/promises'
import type { Context, Tx } from '../../core/context.ts'
import { systemActor } from '../../core/context.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Job } from '../../core/jobs.ts'
import { clockToleranceMs, isWindowOver, toTimestamp } from '../../core/time.ts'
import { forUpdate } from '../../db/dialect.ts'
import { isWriteAwaited } from '../../db/direct.ts'
import { executeBehind } from '../../db/write-behind.ts'
import { authorOf } from './job-author.ts'
import { jobErrors } from './jobs.errors.ts'
import {
  addJobErrors,
  endJob,
  getJob,
  getLockedJob,
  hasEnded,
  jobRunnerName,
  type NewJobError,
  removeFile,
} from './jobs.service.ts'
import { isWaiting, type JobRow, type JobType } from './jobs.table.ts'

export interface Counts {
  readonly done: number
  readonly created?: number
  readonly updated?: number
  readonly skipped?: number
  readonly failed?: number
  readonly errors?: readonly NewJobError[]
}

/** A piece of the work of a job. */
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
  /**
   * Called when a job begins or goes on. The result prepares the step at the job's position, outside of any transaction, while
   * the database still does the previous one: what the last few steps changed may not be visible yet.
   */
  readonly start: (ctx: Context, job: JobRow) => (job: JobRow) => Promise<Step>
  /** Called after its end, also where somebody has cancelled it. */
  readonly cleanUp?: (ctx: Context, job: JobRow) => Promise<void>
}

/** A killed node's job is taken over after this time. */
const leaseMs = 6_000
const renewMs = 2_000
/** How many steps share a transaction while nobody waits to write: SQLite writes a page that several of them change only once. */
const stepsAtOnce = 32
/** How long a transaction waits until the next step is prepared: one with many passwords takes seconds. */
const preparedWithinMs = 100
/** After this many errors in a row a job is given up. */
const maxFailures = 5

/** Thrown where another node has taken the job over, or somebody has cancelled it. */
class LostJob extends Error {}

interface Steps {
  /** Prepares the step at the job's position, unless it is or has been prepared. */
  readonly prepare: (job: JobRow) => Promise<Step>
  readonly isReady: (job: JobRow) => boolean
}

/** The step that comes next, prepared outside of the transaction that asks for it. */
function createSteps(prepareNext: (job: JobRow) => Promise<Step>): Steps {
  const outside = AsyncLocalStorage.snapshot()
  let next: { readonly position: string | null; readonly step: Promise<Step>; isReady: boolean } | undefined
  const isNext = ({ position }: JobRow) => next !== undefined && next.position === position
  return {
    prepare: (job) => {
      if (next !== undefined && isNext(job)) return next.step
      const step = outside(() => prepareNext(job))
      const prepared = { position: job.position, step, isReady: false }
      // A failure is thrown where the step is awaited, if it is.
      step.then(
        () => {
          prepared.isReady = true
        },
        () => {},
      )
      next = prepared
      return step
    },
    isReady: (job) => isNext(job) && next?.isReady === true,
  }
}

/** Runs the jobs of the database, one at a time over all nodes, in the order of their creation. */
export function runJobs(ctx: Context, handlers: readonly JobHandler[]): Job {
  const claim = randomUUID()
  let failures = 0

  const system = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => ctx.transaction(systemActor, work)

  /** Takes the oldest job that has not ended, unless another node runs it. */
  const take = (): Promise<JobRow | undefined> =>
    system(async ({ db, clock }) => {
      const oldest = await forUpdate(db)(
        db.selectFrom('jobs').selectAll().where(isWaiting).orderBy('id').limit(1),
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

  /** What a step changes and how far the job is are one transaction, so no row is applied twice. */
  const applyStep = async (tx: Tx, job: JobRow, step: Step): Promise<JobRow> => {
    const { done, created = 0, updated = 0, skipped = 0, failed = 0, errors = [] } = await step.apply(tx)
    await addJobErrors(tx.db, job.id, errors)
    const nowMs = tx.clock().getTime()
    const changes = {
      done: job.done + done,
      created: job.created + created,
      updated: job.updated + updated,
      skipped: job.skipped + skipped,
      failed: job.failed + failed,
      position: JSON.stringify(step.position),
      lease_ms: nowMs + leaseMs,
      changed_ms: nowMs,
    }
    await executeBehind(tx.db, tx.db.updateTable('jobs').set(changes).where('id', '=', job.id))
    const after: JobRow = { ...job, ...changes }
    if (!step.isLast) return after
    await endJob(tx, after, 'done')
    return { ...after, status: 'done' }
  }

  /** True once the next step is prepared, if that is soon and nobody else waits to write. */
  const mayGoOn = async (job: JobRow, steps: Steps): Promise<boolean> => {
    const deadlineMs = performance.now() + preparedWithinMs
    while (!isWriteAwaited(ctx.unguarded)) {
      if (steps.isReady(job)) return true
      if (performance.now() > deadlineMs) return false
      await pause(1)
    }
    return false
  }

  /**
   * Does the next step. On SQLite it does more of them, as long as they are prepared and nobody else waits to write. While the
   * database does a step, the next one is prepared.
   */
  const perform = (job: JobRow, steps: Steps, stop: AbortSignal): Promise<JobRow> =>
    ctx.backgroundTransaction(systemActor, async (tx) => {
      const held = await hold(tx, job.id)
      const asAuthor: Tx = { ...tx, actor: await authorOf(tx, held) }
      let after = held
      for (let count = 1; ; count++) {
        const step = await steps.prepare(after)
        after = await applyStep(asAuthor, after, step)
        if (step.isLast) return after
        steps.prepare(after)
        if (count === stepsAtOnce || stop.aborted || isWriteAwaited(ctx.unguarded)) return after
        await getJob(tx.db, job.id) // answers once the database has done the step
        if (!(await mayGoOn(after, steps))) return after
      }
    })

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
      if (taken.message !== null) throw jobErrors.job_restored()
      const steps = createSteps(handler.start(ctx, taken))
      while (job.status === 'running') {
        if (stop.aborted) return await release(job.id)
        await steps.prepare(job)
        job = await perform(job, steps, stop)
        failures = 0
        await setImmediate()
      }
    } catch (error) {
      // Who took it, or cancelled it, has written so; its file may be gone already.
      if (error instanceof LostJob || !(await isOurs(job.id))) {
        if (hasEnded((await getJob(ctx.db, job.id)).status)) await handler.cleanUp?.(ctx, job)
        return
      }
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

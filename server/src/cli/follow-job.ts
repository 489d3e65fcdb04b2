import { setTimeout as wait } from 'node:timers/promises'
import { type Context, systemActor } from '../core/context.ts'
import type { Job } from '../features/jobs/jobs.schemas.ts'
import { cancelJob, getJob, hasEnded, jobRunnerName, toJob } from '../features/jobs/jobs.service.ts'
import type { JobErrorRow } from '../features/jobs/jobs.table.ts'
import { print, printJson } from './output.ts'
import { createRateProgress } from './progress.ts'
import { CommandFailed } from './run-failure.ts'
import { stoppable } from './signals.ts'

const lookEveryMs = 500
const shownErrors = 20

/** Runs a job to its end, or follows it where a running service has taken it. Shows its progress on standard error. */
async function finish(ctx: Context, id: number): Promise<Job> {
  const runner = ctx.jobs.runners.find(({ name }) => name === jobRunnerName)
  const { total } = await getJob(ctx.db, id)
  const show = createRateProgress(process.stderr, total ?? 0)
  const look = setInterval(() => {
    void getJob(ctx.db, id)
      .then(({ done }) => show(done))
      .catch(() => {})
  }, lookEveryMs)
  try {
    for (;;) {
      await runner?.drain()
      const job = await getJob(ctx.db, id)
      if (hasEnded(job.status)) {
        show(job.done, true)
        return toJob(job)
      }
      await wait(lookEveryMs)
    }
  } finally {
    clearInterval(look)
  }
}

const firstErrors = (ctx: Context, id: number): Promise<JobErrorRow[]> =>
  ctx.db.selectFrom('job_errors').selectAll().where('job_id', '=', id).orderBy('id').limit(shownErrors).execute()

function describe(job: Job): string {
  const { created, updated, skipped, failed } = job
  const counts = `${created} created, ${updated} changed, ${skipped} skipped, ${failed} failed`
  return `Job ${job.id} is ${job.status}${job.dry_run ? ' (a dry run: nothing was changed)' : ''}: ${counts}.\n`
}

/** Cancels a job, wherever it runs: without this command it would go on in the service, or with the next start. */
function cancel(ctx: Context, id: number): void {
  process.stderr.write(
    `\nCancelling job ${id}; what it has done stays. Press Ctrl-C again to end this command at once; the job may then go on.\n`,
  )
  cancelJob(ctx, systemActor, id).catch((error: Error) => process.stderr.write(`gatehouse: ${error.message}\n`))
}

/** Follows a job and prints how it ended; Ctrl-C cancels it. Exit code 1 if it failed or was cancelled, or a row failed. */
export async function followJob(ctx: Context, id: number, json: boolean): Promise<void> {
  const job = await stoppable(
    () => finish(ctx, id),
    () => cancel(ctx, id),
  )
  const errors = await firstErrors(ctx, id)
  if (json)
    printJson({ ...job, errors: errors.map(({ line, field, code, message }) => ({ line, field, code, message })) })
  else {
    for (const { line, field, message } of errors) {
      process.stderr.write(`${line === null ? '' : `line ${line}: `}${field === null ? '' : `${field}: `}${message}\n`)
    }
    if (job.failed > 0 && errors.length === shownErrors)
      process.stderr.write(`All errors: GET /api/jobs/${id}/errors, or the page of jobs in the console.\n`)
    print(describe(job))
  }
  if (job.status !== 'done' || job.failed > 0) throw new CommandFailed()
}

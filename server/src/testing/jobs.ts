import { getLockedJob } from '../features/jobs/jobs.service.ts'
import type { Answer, CallOptions, TestApp } from './app.ts'

/** Runs every queued job to its end. */
export async function runJobs({ ctx }: Pick<TestApp, 'ctx'>): Promise<void> {
  await ctx.jobs.runners.find(({ name }) => name === 'jobs.run')?.drain()
}

/** Runs every queued job to its end, and meanwhile `work`: it begins within a step of the job, and waits for the step's lock. */
export async function runJobsWhile<T>(t: TestApp, id: number, work: () => Promise<T>): Promise<T> {
  const { backgroundTransaction: transaction } = t.ctx
  const begun = Promise.withResolvers<void>()
  const done = begun.promise.then(work)
  Object.assign(t.ctx, {
    backgroundTransaction: ((actor, step) =>
      transaction(actor, async (tx) => {
        await getLockedJob(tx.db, id)
        begun.resolve()
        return step(tx)
      })) satisfies typeof transaction,
  })
  await runJobs(t).finally(() => Object.assign(t.ctx, { backgroundTransaction: transaction }))
  return done
}

export interface ImportOptions extends CallOptions {
  readonly query?: string
  readonly type?: string
}

/** Sends a file. */
export const sendFile = (
  t: TestApp,
  file: string | Buffer,
  { query = '', type = 'text/csv', headers, ...rest }: ImportOptions = {},
): Promise<Answer> =>
  t.call(`POST /users/import${query}`, { ...rest, body: file, headers: { 'content-type': type, ...headers } })

/** Sends a file and runs its job; the job, and its errors. */
export async function importFile(t: TestApp, file: string | Buffer, options: ImportOptions = {}) {
  const { status, body, text } = await sendFile(t, file, options)
  if (status !== 202) throw new Error(text)
  await runJobs(t)
  const job = (await t.call(`GET /jobs/${body.data.id}`)).body.data
  const { body: errors } = await t.call(`GET /jobs/${body.data.id}/errors?per_page=100`)
  return { job, errors: errors.data as { line: number; field: string; code: string; message: string }[] }
}

export const ndjson = (...rows: object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
export const asNdjson = { type: 'application/x-ndjson' }

/** What a job counted, and how it ended. */
export const countsOf = ({ created, updated, skipped, failed, done, total, status }: Record<string, unknown>) => ({
  created,
  updated,
  skipped,
  failed,
  done,
  total,
  status,
})

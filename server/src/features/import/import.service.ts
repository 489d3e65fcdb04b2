import type { Readable } from 'node:stream'
import type { Actor, Context } from '../../core/context.ts'
import { busyFor } from '../../core/errors.ts'
import { createSharedSlots, sharesOf } from '../../core/shared-slots.ts'
import { refreshUserStatistics } from '../accounts/users.statistics.ts'
import type { JobHandler } from '../jobs/jobs.runner.ts'
import { createJob, jobRunnerName } from '../jobs/jobs.service.ts'
import type { JobRow } from '../jobs/jobs.table.ts'
import { removeUpload } from '../jobs/uploads.ts'
import { readSettings } from '../settings/settings.service.ts'
import { applyRows } from './apply.ts'
import type { ImportOptions } from './options.ts'
import { prepareRows } from './prepare.ts'
import { type Position, readRows } from './read-rows.ts'
import { type ReceivedFile, receiveFile } from './receive.ts'
import type { FileFormat } from './rows.ts'

type StoredOptions = Omit<ReceivedFile, 'digest'> & ImportOptions

/** How many files are received at a time by this process. Slow uploads of one user do not block others. */
const places = { all: 8, each: { user: 2, network: 4 } }
const uploads = createSharedSlots(places, () => busyFor(30, 'Other files are being received. Try again later.'))

export interface ImportFile {
  readonly body: Readable
  readonly format: FileFormat
  readonly isGzip: boolean
  /** A sender who sends nothing for this long is not waited for. */
  readonly idleMs?: number
  /** Called when all of it is there, before the job is made. */
  readonly received?: (digest: Buffer) => Promise<void>
}

/** Receives a file, and queues the job that imports it. A file that is cut or cannot be read makes no job. */
export async function importUsers(
  ctx: Context,
  actor: Actor,
  { body, format, isGzip, idleMs, received }: ImportFile,
  options: ImportOptions,
): Promise<JobRow> {
  const ignoreUnknown = options.ignore_unknown
  const { digest, ...file } = await uploads(sharesOf(actor), () =>
    receiveFile(ctx, body, { format, isGzip, idleMs, ignoreUnknown }),
  )
  const stored: StoredOptions = { ...file, ...options }
  try {
    await received?.(digest)
    const wanted = { type: 'users.import', options: stored, total: file.rows, dryRun: options.dry_run } as const
    const job = await ctx.transaction(actor, (tx) => createJob(tx, wanted))
    ctx.jobs.wake(jobRunnerName)
    return job
  } catch (error) {
    await removeUpload(ctx, file.upload)
    throw error
  }
}

/**
 * Rows in one transaction: enough to share its cost, few enough that other writers hardly wait, and that V8 has not yet moved
 * them to its old generation, whose collections keep requests waiting.
 */
const rowsAtOnce = 500
/** After this many rows the statistics of the database are refreshed. */
const manyRows = 1_000
/** Rows with a password take as long as hashing it. */
const passwordsAtOnce = 40

export const importJobs: JobHandler = {
  type: 'users.import',
  start: (ctx, started) => async (job) => {
    const options = JSON.parse(started.options) as StoredOptions
    const from = (job.position === null ? options.from : JSON.parse(job.position)) as Position
    const file = { ...options, ignoreUnknown: options.ignore_unknown }
    let read = await readRows(ctx, file, from, rowsAtOnce)
    const passwords = read.rows.filter(({ draft }) => draft.given.password !== undefined).length
    if (passwords > passwordsAtOnce) read = await readRows(ctx, file, from, passwordsAtOnce)
    const { 'password.min_length': minLength } = await readSettings(ctx)
    const rows = await prepareRows(ctx, read.rows, options, minLength)
    return {
      position: read.position,
      isLast: read.isEnd,
      apply: (tx) => applyRows(tx, job.id, rows, options),
    }
  },
  cleanUp: async (ctx, job) => {
    if (job.dry_run === 1 || job.done < manyRows) return
    await refreshUserStatistics(ctx.unguarded).catch((err) =>
      ctx.log.warn({ err, job: job.id }, 'the statistics of the database could not be refreshed'),
    )
  },
}

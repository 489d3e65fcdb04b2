import type { Context } from '../../core/context.ts'
import { eraseDeleted } from '../../db/direct.ts'
import { searchPurgeJob } from '../accounts/search-purge.ts'
import type { JobHandler } from '../jobs/jobs.runner.ts'
import { applyAction } from './apply.ts'
import type { BulkAction } from './bulk.actions.ts'
import { lockUsers } from './lock-users.ts'
import { conditionsOf, nextIds, type Selection } from './selection.ts'
import { applyUndo, nextChanges } from './undo.ts'

export interface BulkOptions {
  readonly action: BulkAction
  readonly role_id: number | null
  readonly selection: Selection
}

/** Users in one step. Other writes wait until it ends. */
const usersAtOnce = 100
const mailsAtOnce = 10
/** Ids are read ahead: a search takes long, however few of its matches are read. */
const idsAhead = 10_000

interface Position {
  readonly after: number
}

const positionOf = ({ position }: { position: string | null }): Position =>
  position === null ? { after: 0 } : (JSON.parse(position) as Position)

/** Reads the ids of a selection, some of them ahead. */
function createAhead(ctx: Context, selection: Selection) {
  /** The id after which `ids` begin. If a step is prepared a second time, earlier ones are read again. */
  let from: number | undefined
  let ids: number[] = []
  let isWhole = false
  return async (after: number, limit: number) => {
    const isKnown = from !== undefined && after >= from
    const start = isKnown ? ids.findIndex((one) => one > after) : -1
    const rest = start < 0 ? [] : ids.slice(start)
    if (isKnown && (rest.length > limit || isWhole)) ids = rest
    else {
      ids = await nextIds(ctx, selection, after, idsAhead)
      isWhole = ids.length < idsAhead
    }
    from = after
    return { ids: ids.slice(0, limit), isLast: isWhole && ids.length <= limit }
  }
}

export const bulkJobs: JobHandler = {
  type: 'users.bulk',
  start: (ctx, { id, options }) => {
    const { action, role_id, selection } = JSON.parse(options) as BulkOptions
    const isMail = action === 'send_password_reset' || action === 'resend_confirmation'
    const ahead = createAhead(ctx, selection)
    return async (job) => {
      const { after } = positionOf(job)
      const { ids, isLast } = await ahead(after, isMail ? mailsAtOnce : usersAtOnce)
      return {
        position: { after: ids.at(-1) ?? after },
        isLast,
        apply: async (tx) => {
          const rows = await lockUsers(tx, ids, conditionsOf(selection, tx.db, false))
          const counts = await applyAction(tx, id, action, role_id ?? undefined, rows)
          // Users who no longer match or were deleted are left alone.
          const gone = ids.length - rows.length
          return { ...counts, done: ids.length, skipped: (counts.skipped ?? 0) + gone }
        },
      }
    }
  },
  cleanUp: async (ctx, job) => {
    if ((JSON.parse(job.options) as BulkOptions).action !== 'delete') return
    eraseDeleted(ctx.db)
    ctx.jobs.wake(searchPurgeJob)
  },
}

export const undoJobs: JobHandler = {
  type: 'users.undo',
  start:
    (ctx, { options }) =>
    async (job) => {
      const { job_id: undone } = JSON.parse(options) as { job_id: number }
      const { after } = positionOf(job)
      const changes = await nextChanges(ctx.db, undone, after, usersAtOnce)
      return {
        position: { after: changes.at(-1)?.user_id ?? after },
        isLast: changes.length < usersAtOnce,
        apply: (tx) => applyUndo(tx, undone, job.id, changes),
      }
    },
}

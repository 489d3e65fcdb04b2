import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { defineErrors, errors } from '../../core/errors.ts'
import { createJob, getLockedJob, jobRunnerName, toJob } from '../jobs/jobs.service.ts'
import type { JobRow } from '../jobs/jobs.table.ts'
import { assertMayGrant, findRole } from '../roles/roles.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import type { BulkOptions } from './bulk.jobs.ts'
import type { BulkUsers } from './bulk.schemas.ts'
import { selectByFilter, selectByIds } from './selection.ts'

const bulkErrors = defineErrors({
  bulk_count_changed: [409, 'Another number of users matches now.'],
  job_not_undoable: [409, 'This job cannot be taken back.'],
  job_undone: [409, 'This job was taken back already.'],
})

/** Queues an action on many users, if as many match as the caller has seen. */
export async function changeManyUsers(ctx: Context, actor: Actor, draft: Draft<BulkUsers>): Promise<JobRow> {
  const { action, role_id, filter, ids } = draft.given // null is the same as not sent
  if (!draft.isRejected('filter') && !draft.isRejected('ids') && (filter == null) === (ids == null))
    draft.reject('filter', 'Send either filter or ids.')
  if (action === 'set_role' && role_id == null) draft.reject('role_id', 'The role id field is required.')
  if (role_id != null && (await findRole(ctx.db, role_id)) === undefined)
    draft.reject('role_id', 'The selected role id is invalid.')
  const wanted = draft.accept()
  const { selection, count } = ids == null ? await selectByFilter(ctx, filter ?? {}) : await selectByIds(ctx, ids)
  if (count !== wanted.expected) {
    const found = count === 1 ? '1 user matches' : `${count} users match`
    throw bulkErrors.bulk_count_changed(`${found} now, not ${wanted.expected}.`, { count })
  }
  const job = await ctx.transaction(actor, async (tx) => {
    if (action === 'set_role' && role_id != null) await assertMayGrant(tx.db, tx.actor, role_id)
    if (action === 'send_password_reset' && !(await readSettings(tx))['password_reset.enabled'])
      throw errors.not_found()
    const options: BulkOptions = { action: wanted.action, role_id: role_id ?? null, selection }
    return createJob(tx, { type: 'users.bulk', options, total: count })
  })
  ctx.jobs.wake(jobRunnerName)
  return job
}

/** Queues a job that takes another one back for users whom nobody has changed since. */
export async function undoJob(ctx: Context, actor: Actor, id: number): Promise<JobRow> {
  const job = await ctx.transaction(actor, async (tx) => {
    const undone = await getLockedJob(tx.db, id)
    if (undone.undone_by !== null) throw bulkErrors.job_undone()
    if (!toJob(undone).can_undo) throw bulkErrors.job_not_undoable()
    const { total } = await tx.db
      .selectFrom('job_changes')
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('job_id', '=', id)
      .executeTakeFirstOrThrow()
    const options = { action: 'undo', job_id: id }
    const made = await createJob(tx, { type: 'users.undo', options, total })
    await tx.db
      .updateTable('jobs')
      .set({ undone_by: made.id, changed_ms: tx.clock().getTime() })
      .where('id', '=', id)
      .execute()
    return made
  })
  ctx.jobs.wake(jobRunnerName)
  return job
}

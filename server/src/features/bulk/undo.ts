import type { Selectable } from 'kysely'
import type { Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { among } from '../../db/rows.ts'
import { holdCredentials } from '../accounts/hold-credentials.ts'
import { changeUsers, idsOf } from '../accounts/users.bulk.ts'
import { isActiveAdmin } from '../accounts/users.queries.ts'
import { recordMany } from '../activity/activity.service.ts'
import { jobErrors } from '../jobs/jobs.errors.ts'
import type { Counts } from '../jobs/jobs.runner.ts'
import type { NewJobError } from '../jobs/jobs.service.ts'
import type { JobChangesTable } from '../jobs/jobs.table.ts'
import { coversRole } from '../roles/roles.service.ts'
import { shutOut, statusEvents } from '../users/users.changes.ts'
import { subjectOf, tellOfRole, withoutLastAdmin, withoutProtected } from './apply.ts'
import { type LockedUser, lockUsers } from './lock-users.ts'

type Change = Selectable<JobChangesTable>

/** What a job changed, in the order of the users' ids. */
export const nextChanges = (db: ReadDb, jobId: number, after: number, limit: number): Promise<Change[]> =>
  db
    .selectFrom('job_changes')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute()

/** Takes changes back for users whom nobody has changed since. */
export async function applyUndo(tx: Tx, undone: number, jobId: number, changes: readonly Change[]): Promise<Counts> {
  const before = new Map(changes.map((change) => [change.user_id, change]))
  const rows = await lockUsers(tx, [...before.keys()], [])
  const unchanged = rows.filter((row) => row.last_job_id === undone)
  const untouched = await withoutProtected(tx, unchanged)
  const wanted = (row: LockedUser) => before.get(row.id) as Change
  const roles = await existingRoles(tx.db, new Set(untouched.map((row) => wanted(row).role_id)))
  const possible = untouched.filter((row) => roles.has(wanted(row).role_id))
  const stuck = untouched.filter((row) => !roles.has(wanted(row).role_id))
  const kept = await withoutLastAdmin(tx, possible, (row) => !isActiveAdmin(wanted(row)))
  const groups = Map.groupBy(kept, (row) => `${wanted(row).role_id} ${wanted(row).status}`)
  let updated = 0
  for (const group of groups.values()) updated += await restore(tx, jobId, group, wanted(group[0] as LockedUser))
  const failed = stuck.length
  if (unchanged.length > updated + failed) await allowAnother(tx, undone)
  const errors = stuck.map((row) => roleGone(row, wanted(row)))
  return { done: changes.length, updated, skipped: changes.length - updated - failed, failed, errors }
}

/** Some were left out that the author may not manage. Whoever may can ask for an undo of their own; those who are restored stay so. */
async function allowAnother({ db, clock }: Tx, undone: number): Promise<void> {
  const changes = { undone_by: null, changed_ms: clock().getTime() }
  await db.updateTable('jobs').set(changes).where('id', '=', undone).execute()
}

async function existingRoles(db: ReadDb, ids: ReadonlySet<number>): Promise<Set<number>> {
  const rows = await db
    .selectFrom('roles')
    .select('id')
    .where('id', 'in', among(db, [...ids]))
    .execute()
  return new Set(idsOf(rows))
}

/** Why a user cannot get their old role back. */
function roleGone({ id }: LockedUser, { role_id }: Change): NewJobError {
  const message = `User ${id} keeps the present role: the one before (id ${role_id}) was deleted.`
  return { line: null, field: 'role_id', code: jobErrors.job_role_gone().code, message }
}

/** Gives the users of a group their old status and role back; does nothing if the author may not give the role. */
async function restore(
  tx: Tx,
  jobId: number,
  rows: readonly LockedUser[],
  { status, role_id }: Change,
): Promise<number> {
  const givesRole = rows.some((row) => row.role_id !== role_id)
  if (givesRole && !(await coversRole(tx.db, tx.actor.permissions, role_id))) return 0
  if (givesRole || status === 'Unconfirmed') await holdCredentials(tx.db, idsOf(rows))
  await changeUsers(tx.db, rows, { status, role_id, last_job_id: null }, toTimestamp(tx.clock()))
  if (status === 'Banned') await shutOut(tx, idsOf(rows))
  if (givesRole) await tellOfRole(tx, rows, role_id)
  await recordMany(
    tx,
    statusEvents[status],
    rows
      .filter((row) => row.status !== status)
      .map((row) => ({ subject: subjectOf(row), details: { before: row.status, job_id: jobId } })),
  )
  await recordMany(
    tx,
    'user.role_changed',
    rows
      .filter((row) => row.role_id !== role_id)
      .map((row) => ({ subject: subjectOf(row), details: { before: row.role_id, after: role_id, job_id: jobId } })),
  )
  return rows.length
}

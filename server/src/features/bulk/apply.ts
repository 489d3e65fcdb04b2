import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Tx } from '../../core/context.ts'
import { covers, type PermissionSet } from '../../core/permissions.ts'
import { toTimestamp } from '../../core/time.ts'
import { compileSql } from '../../db/dialect.ts'
import { among } from '../../db/rows.ts'
import { executeBehind } from '../../db/write-behind.ts'
import { holdCredentials } from '../accounts/hold-credentials.ts'
import { changeUsers, countActiveAdmins, idsOf, removeUsers } from '../accounts/users.bulk.ts'
import { isActiveAdmin } from '../accounts/users.queries.ts'
import type { UserRow, UserStatus } from '../accounts/users.table.ts'
import { recordMany } from '../activity/activity.service.ts'
import { giveUpAvatar } from '../avatar-files/stored-avatars.ts'
import { endSessionsOf } from '../credentials/live-sessions.service.ts'
import { whyNoConfirmation, whyNoReset } from '../invitations/user-mails.service.ts'
import { jobErrors } from '../jobs/jobs.errors.ts'
import type { Counts } from '../jobs/jobs.runner.ts'
import { sendResetMail } from '../password-reset/password-reset.service.ts'
import { sendConfirmationNow } from '../registration/email-confirmation.service.ts'
import { mayMailMailbox } from '../registration/unproved-mail.service.ts'
import { assertMayGrant, findRole, findRolePermissions } from '../roles/roles.service.ts'
import { sendSecurityMails } from '../security-mails/security-mail.ts'
import { findMightierRole } from '../users/mightier-role.ts'
import { shutOut, statusEvents } from '../users/users.changes.ts'
import type { BulkAction } from './bulk.actions.ts'
import { type LockedUser, readUsers } from './lock-users.ts'

/** Leaves out the caller, and users above them. */
export async function withoutProtected(tx: Tx, rows: readonly LockedUser[]): Promise<LockedUser[]> {
  const permissions = new Map<number, PermissionSet>()
  for (const role of new Set(rows.map(({ role_id }) => role_id)))
    permissions.set(role, await findRolePermissions(tx.db, role))
  return rows.filter(
    ({ id, role_id }) => id !== tx.actor.userId && covers(tx.actor.permissions, permissions.get(role_id) ?? 'all'),
  )
}

/** Leaves out an administrator if nobody else would remain; `leaves` says who would stop being one. */
export async function withoutLastAdmin(
  tx: Tx,
  rows: readonly LockedUser[],
  leaves: (row: LockedUser) => boolean,
): Promise<LockedUser[]> {
  if (!rows.some((row) => isActiveAdmin(row) && leaves(row))) return [...rows]
  let left = (await countActiveAdmins(tx.db)) - 1
  return rows.filter((row) => !isActiveAdmin(row) || !leaves(row) || left-- > 0)
}

/** Applies a bulk action to locked users; those whom it does not change count as skipped. */
export async function applyAction(
  tx: Tx,
  jobId: number,
  action: BulkAction,
  roleId: number | undefined,
  rows: readonly LockedUser[],
): Promise<Counts> {
  const allowed = await withoutProtected(tx, rows)
  const changed = await actions[action](tx, jobId, allowed, roleId)
  return { done: rows.length, updated: changed, skipped: rows.length - changed }
}

type Apply = (tx: Tx, jobId: number, rows: readonly LockedUser[], roleId: number | undefined) => Promise<number>

export const subjectOf = ({ id }: LockedUser) => ({ type: 'user', id }) as const

/** Keeps what there was before, for `undo`. */
async function keep({ db }: Tx, jobId: number, rows: readonly LockedUser[]): Promise<void> {
  const keeping = sql`insert into job_changes (job_id, user_id, status, role_id)
    select cast(${jobId} as bigint), id, status, role_id from users where id in ${among(db, idsOf(rows))}`
  await executeBehind(db, { compile: () => compileSql(db, keeping) })
}

const setStatus =
  (status: UserStatus): Apply =>
  async (tx, jobId, rows) => {
    const others = rows.filter((row) => row.status !== status)
    const changed = status === 'Active' ? others : await withoutLastAdmin(tx, others, () => true)
    if (changed.length === 0) return 0
    await keep(tx, jobId, changed)
    await changeUsers(tx.db, changed, { status, last_job_id: jobId }, toTimestamp(tx.clock()))
    if (status === 'Banned') await shutOut(tx, idsOf(changed))
    await recordMany(
      tx,
      statusEvents[status],
      changed.map((row) => ({ subject: subjectOf(row), details: { before: row.status, job_id: jobId } })),
    )
    return changed.length
  }

/** Mails those of changed users for whom the new role is mightier; `rows` are from before. */
export async function tellOfRole(tx: Tx, rows: readonly LockedUser[], roleId: number): Promise<void> {
  for (const [before, group] of Map.groupBy(rows, (row) => row.role_id)) {
    const mightier = await findMightierRole(tx.db, roleId, before)
    if (mightier !== undefined) await sendSecurityMails(tx, await readUsers(tx, group), 'mightier-role', mightier)
  }
}

const setRole: Apply = async (tx, jobId, rows, roleId) => {
  if (roleId === undefined) return 0
  if ((await findRole(tx.db, roleId)) === undefined) throw jobErrors.job_role_gone()
  await assertMayGrant(tx.db, tx.actor, roleId)
  const changed = await withoutLastAdmin(
    tx,
    rows.filter((row) => row.role_id !== roleId),
    () => true,
  )
  if (changed.length === 0) return 0
  await keep(tx, jobId, changed)
  await holdCredentials(tx.db, idsOf(changed))
  await changeUsers(tx.db, changed, { role_id: roleId, last_job_id: jobId }, toTimestamp(tx.clock()))
  await tellOfRole(tx, changed, roleId)
  await recordMany(
    tx,
    'user.role_changed',
    changed.map((row) => ({
      subject: subjectOf(row),
      details: { before: row.role_id, after: roleId, job_id: jobId },
    })),
  )
  return changed.length
}

const remove: Apply = async (tx, jobId, rows) => {
  const removed = await withoutLastAdmin(tx, rows, () => true)
  await removeUsers(tx.db, removed)
  for (const { avatar } of removed) await giveUpAvatar(tx, avatar)
  await recordMany(
    tx,
    'user.deleted',
    removed.map((row) => ({ subject: subjectOf(row), details: { job_id: jobId } })),
  )
  return removed.length
}

const endSessions: Apply = async (tx, jobId, rows) => {
  if (rows.length === 0) return 0
  await endSessionsOf(tx.db, idsOf(rows))
  await recordMany(
    tx,
    'user.sessions_ended',
    rows.map((row) => ({ subject: subjectOf(row), details: { job_id: jobId } })),
  )
  return rows.length
}

/** Mails each user who may get it now: nobody more than once a minute. */
const mail =
  (whyNot: (row: UserRow) => unknown, send: (tx: Tx, row: UserRow, jobId: number) => Promise<void>): Apply =>
  async (tx, jobId, rows) => {
    let sent = 0
    for (const row of await readUsers(tx, rows)) {
      if (whyNot(row) !== undefined || !(await mayMailMailbox(tx, row.email))) continue
      await send(tx, row, jobId)
      sent++
      await setImmediate()
    }
    return sent
  }

const actions: Readonly<Record<BulkAction, Apply>> = {
  ban: setStatus('Banned'),
  activate: setStatus('Active'),
  delete: remove,
  set_role: setRole,
  end_sessions: endSessions,
  send_password_reset: mail(whyNoReset, sendResetMail),
  resend_confirmation: mail(whyNoConfirmation, sendConfirmationNow),
}

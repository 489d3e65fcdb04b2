import { type Actor, systemActor, type Tx } from '../../core/context.ts'
import { factorErrors } from '../../core/factor-errors.ts'
import { covers, holds, intersection, type PermissionSet } from '../../core/permissions.ts'
import { forKeyShare, forShare } from '../../db/dialect.ts'
import { hasExpired, scopeOf } from '../api-keys/scope.ts'
import { lacksFactor } from '../credentials/credentials.service.ts'
import { findRole, findRolePermissions } from '../roles/roles.service.ts'
import { jobErrors } from './jobs.errors.ts'
import { permissionsFrom } from './jobs.service.ts'
import type { JobRow } from './jobs.table.ts'

/**
 * The author of a job with the permissions that they, and the credential that started it, have in this transaction; throws if
 * they may not go on. Who takes a credential away locks the user before it, so the user is read first here, too.
 */
export async function authorOf(tx: Tx, job: JobRow): Promise<Actor> {
  const { created_by: userId, api_key_id: apiKeyId, ip_address: ip, user_agent: userAgent, request_id: requestId } = job
  const system = { ...systemActor, origin: { ip, userAgent, requestId } }
  if (userId === null) return system
  const user = await forShare(tx.db)(
    tx.db.selectFrom('users').select(['status', 'role_id', 'two_factor_options']).where('id', '=', userId),
  ).executeTakeFirst()
  if (user?.status !== 'Active') throw jobErrors.job_author_gone()
  const scope = await scopeNow(tx, job)
  const role = await findRole(tx.db, user.role_id)
  if (lacksFactor({ ...user, two_factor: role?.two_factor ?? null })) throw factorErrors.two_factor_enrolment_required()
  const held = permissionsFrom(job.held)
  const mayGoOn = (set: PermissionSet) => holds(set, 'users.manage') && covers(set, held)
  const owned = await findRolePermissions(tx.db, user.role_id)
  if (!mayGoOn(owned)) throw jobErrors.job_author_demoted()
  const permissions = intersection(owned, scope)
  if (!mayGoOn(permissions)) throw jobErrors.job_key_limited()
  return { ...system, userId, apiKeyId, permissions, scope }
}

/** What the credential that started the job allows now; throws if it was taken away, or is an API key that has expired. */
async function scopeNow(tx: Tx, job: JobRow): Promise<PermissionSet> {
  const scope = permissionsFrom(job.scope)
  if (job.session_id !== null) await assertSession(tx, job.session_id)
  if (job.api_key_id === null) return scope
  const key = await forShare(tx.db)(
    tx.db.selectFrom('api_keys').select(['permissions', 'expires_at']).where('id', '=', job.api_key_id),
  ).executeTakeFirst()
  if (key === undefined) throw jobErrors.job_key_revoked()
  if (hasExpired(key, tx.clock)) throw jobErrors.job_key_expired()
  return intersection(scopeOf(key.permissions), scope)
}

/** A session that has timed out, or signed out, does not stop its jobs: its row stays until they have ended. */
async function assertSession({ db }: Tx, id: string): Promise<void> {
  const found = await forKeyShare(db)(db.selectFrom('sessions').select('id').where('id', '=', id)).executeTakeFirst()
  if (found === undefined) throw jobErrors.job_session_ended()
}

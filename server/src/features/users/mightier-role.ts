import type { Actor, Reads } from '../../core/context.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { covers } from '../../core/permissions.ts'
import type { ReadDb } from '../../db/database.ts'
import { findRole, findRolePermissions } from '../roles/roles.service.ts'
import { defaultRoleId } from '../roles/roles.table.ts'

/** A session must have proved its user's identity to give a role that is mightier than the present one. */
export async function assertProofForRole(
  { db, clock }: Pick<Reads, 'db' | 'clock'>,
  actor: Actor,
  roleId: number,
  than = defaultRoleId,
): Promise<void> {
  if (await isMightier(db, roleId, than)) assertFreshProof(clock, actor)
}

/** What a user is told of their new role by mail; undefined if it has no permission that the one before lacks. */
export async function findMightierRole(
  db: ReadDb,
  roleId: number,
  before: number,
): Promise<{ role: string } | undefined> {
  if (!(await isMightier(db, roleId, before))) return undefined
  const role = await findRole(db, roleId)
  return { role: role?.display_name ?? role?.name ?? '' }
}

/** True if a role has a permission that the other lacks. */
async function isMightier(db: ReadDb, roleId: number, than: number): Promise<boolean> {
  return !covers(await findRolePermissions(db, than), await findRolePermissions(db, roleId))
}

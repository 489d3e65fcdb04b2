import type { Actor, Reads } from '../../core/context.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { covers } from '../../core/permissions.ts'
import type { ReadDb } from '../../db/database.ts'
import { findRolePermissions } from '../roles/roles.service.ts'
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

/** True if a role has a permission that the other lacks. */
export async function isMightier(db: ReadDb, roleId: number, than: number): Promise<boolean> {
  return !covers(await findRolePermissions(db, than), await findRolePermissions(db, roleId))
}

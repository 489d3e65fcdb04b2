import { isDeepStrictEqual } from 'node:util'
import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { excerpt } from '../../core/excerpt.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { holds } from '../../core/permissions.ts'
import type { ReadDb } from '../../db/database.ts'
import { holdCredentials } from '../accounts/hold-credentials.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { readRegistrationRole } from './registration-role.ts'
import { roleErrors } from './roles.errors.ts'
import { listRolePermissions, replaceRolePermissions } from './roles.queries.ts'
import type { Permission, SetRolePermissions } from './roles.schemas.ts'
import { assertFitForEverybody, lockRole, toPermission } from './roles.service.ts'
import { adminRoleId, type PermissionRow } from './roles.table.ts'

/** Sets the permissions of a role, each given by name or id. Nobody can add or remove permissions that they lack. */
export async function setRolePermissions(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<SetRolePermissions>,
): Promise<Permission[]> {
  return ctx.transaction(actor, async (tx) => {
    await lockRole(tx.db, tx.actor, id)
    if (id === adminRoleId) throw roleErrors.role_built_in()
    const wanted = await findWanted(tx.db, draft)
    if (wanted.some(({ name }) => !holds(tx.actor.permissions, name))) throw roleErrors.role_above_you()
    const before = await listRolePermissions(tx.db, id)
    const registered = await readRegistrationRole(tx.db)
    if (id === registered && draft.given.force !== true) assertFitForEverybody('permissions', without(wanted, before))
    if (without(wanted, before).length > 0) assertFreshProof(tx.clock, tx.actor)
    if (without(before, wanted).length > 0) await holdCredentials(tx.db, { roleId: id })
    await replaceRolePermissions(
      tx.db,
      id,
      wanted.map((permission) => permission.id),
    )
    const details = { before: before.map(({ name }) => name), after: wanted.map(({ name }) => name) }
    if (!isDeepStrictEqual(details.before, details.after)) {
      await recordActivity(tx, tx.actor, 'role.permissions_changed', { type: 'role', id }, details)
    }
    return wanted.map(toPermission)
  })
}

async function findWanted(db: ReadDb, draft: Draft<SetRolePermissions>): Promise<PermissionRow[]> {
  const known = await db.selectFrom('permissions').selectAll().orderBy('id').execute()
  const wanted = new Set<PermissionRow>()
  for (const given of draft.given.permissions ?? []) {
    // Form fields have no numbers: what is not a name may be an id as text.
    const found =
      known.find(({ id, name }) => id === given || name === given) ?? known.find(({ id }) => String(id) === given)
    if (found === undefined) draft.reject('permissions', `There is no permission ${excerpt(given)}.`)
    else wanted.add(found)
  }
  draft.accept()
  return known.filter((permission) => wanted.has(permission))
}

/** The permissions that are not among the others. */
const without = (permissions: readonly PermissionRow[], others: readonly PermissionRow[]): PermissionRow[] =>
  permissions.filter(({ id }) => !others.some((other) => other.id === id))

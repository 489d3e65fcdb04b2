import type { Actor, Context, Tx } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors, failedAt, type ServiceError } from '../../core/errors.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import type { PermissionSet } from '../../core/permissions.ts'
import { canonicalName } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { forShare, forUpdate } from '../../db/dialect.ts'
import { holdCredentials } from '../accounts/hold-credentials.ts'
import { isTwoFactorOn } from '../accounts/two-factor-state.ts'
import { findUser, moveUsers } from '../accounts/users.queries.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { changedColumns, checkName } from './named.ts'
import { forgetRegistrationRole } from './registration-role.ts'
import { roleErrors } from './roles.errors.ts'
import {
  countRoleUsers,
  coversRole,
  findRole,
  findRolePermissions,
  listPermissionsOfRoles,
  listRolePermissions,
} from './roles.queries.ts'
import type { CreateRole, Permission, Role, UpdateRole } from './roles.schemas.ts'
import { adminRoleId, defaultRoleId, type PermissionRow, type RoleRow, type TwoFactorRule } from './roles.table.ts'

export { coversRole, findRole, findRolePermissions, listRolePermissions, lockPermissions } from './roles.queries.ts'

const toRole = (row: RoleRow, users: number): Role => {
  const { id, name, display_name, description, two_factor, removable, created_at, updated_at } = row
  const shown = { id, name, display_name, description, two_factor, removable: removable === 1 }
  return { ...shown, users_count: users, created_at, updated_at }
}

export const toPermission = (row: PermissionRow): Permission => {
  const { id, name, display_name, description, removable, created_at, updated_at } = row
  return { id, name, display_name, description, removable: removable === 1, created_at, updated_at }
}

/** Roles as answers show them, with the number of users of each. */
export async function toRoles(db: ReadDb, rows: readonly RoleRow[]): Promise<Role[]> {
  if (rows.length === 0) return []
  const counts = await countRoleUsers(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toRole(row, counts.get(row.id) ?? 0))
}

/** The include `role` of a user. */
export async function loadRoles(ctx: Context, ids: readonly number[]): Promise<Map<number, Role>> {
  const rows = await ctx.db.selectFrom('roles').selectAll().where('id', 'in', ids).execute()
  return new Map((await toRoles(ctx.db, rows)).map((role) => [role.id, role]))
}

/** The include `permissions` of a role: a list for each, empty if it has none. */
export async function loadPermissionsOf(ctx: Context, ids: readonly number[]): Promise<Map<number, Permission[]>> {
  const found = await listPermissionsOfRoles(ctx.db, ids)
  return new Map([...found].map(([id, rows]) => [id, rows.map(toPermission)]))
}

async function getRoleRow(db: ReadDb, id: number): Promise<RoleRow> {
  const row = await findRole(db, id)
  if (row === undefined) throw errors.not_found()
  return row
}

export async function getRole(db: ReadDb, id: number): Promise<Role> {
  const [role] = await toRoles(db, [await getRoleRow(db, id)])
  return role as Role
}

/** The names of the caller's permissions. */
export async function permissionNames(db: ReadDb, held: PermissionSet): Promise<string[]> {
  if (held !== 'all') return [...held].toSorted()
  return (await listRolePermissions(db, adminRoleId)).map(({ name }) => name).toSorted()
}

/** Nobody can grant, change or remove what they do not hold themselves. */
export async function assertMayGrant(db: ReadDb, actor: Actor, roleId: number): Promise<void> {
  if (!(await coversRole(db, actor.permissions, roleId))) throw roleErrors.role_above_you()
}

/** Locks the role until the transaction ends, and throws if the actor may not change it. */
export async function lockRole(db: ReadDb, actor: Actor, id: number): Promise<RoleRow> {
  const role = await forUpdate(db)(db.selectFrom('roles').selectAll().where('id', '=', id)).executeTakeFirst()
  if (role === undefined) throw errors.not_found()
  await assertMayGrant(db, actor, id)
  return role
}

export async function createRole(ctx: Context, actor: Actor, draft: Draft<CreateRole>): Promise<Role> {
  return ctx.transaction(actor, async (tx) => {
    await checkName(tx.db, 'roles', draft)
    const { name, display_name = null, description = null, two_factor = 'optional' } = draft.accept()
    const now = toTimestamp(tx.clock())
    const row = await tx.db
      .insertInto('roles')
      .values({
        name,
        name_canonical: canonicalName(name),
        display_name,
        description,
        two_factor,
        removable: 1,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordActivity(tx, tx.actor, 'role.created', { type: 'role', id: row.id })
    return toRole(row, 0)
  })
}

/** Nobody shuts themselves out. Making a second factor optional again takes protection away. */
async function assertMaySetRule(tx: Tx, role: RoleRow, rule: TwoFactorRule): Promise<void> {
  if (rule === role.two_factor) return
  if (rule === 'optional') return assertFreshProof(tx.clock, tx.actor)
  const { userId } = tx.actor
  const user = userId === null ? undefined : await findUser(tx.db, userId)
  if (user?.role_id === role.id && !isTwoFactorOn(user)) throw roleErrors.role_of_yours_needs_factor()
}

export async function updateRole(ctx: Context, actor: Actor, id: number, draft: Draft<UpdateRole>): Promise<Role> {
  return ctx.transaction(actor, async (tx) => {
    const role = await lockRole(tx.db, tx.actor, id)
    await checkName(tx.db, 'roles', draft, id)
    const { two_factor = role.two_factor, ...named } = draft.accept()
    await assertMaySetRule(tx, role, two_factor)
    const changes = {
      ...changedColumns(named, role),
      ...(two_factor === role.two_factor ? {} : { two_factor }),
    }
    if (changes.name !== undefined && role.removable === 0) throw roleErrors.role_built_in()
    if (Object.keys(changes).length > 0) {
      if (changes.two_factor === 'required') await holdCredentials(tx.db, { roleId: id })
      await tx.db
        .updateTable('roles')
        .set({ ...changes, updated_at: toTimestamp(tx.clock()) })
        .where('id', '=', id)
        .execute()
      await recordActivity(tx, tx.actor, 'role.updated', { type: 'role', id })
    }
    return getRole(tx.db, id)
  })
}

/** Deleting a role can give its users more than they had, and take the demand for a second factor away. */
async function assertProofToDelete(tx: Tx, role: RoleRow, users: number): Promise<void> {
  const isWider = users > 0 && !(await coversRole(tx.db, await findRolePermissions(tx.db, role.id), defaultRoleId))
  if (isWider || role.two_factor === 'required') assertFreshProof(tx.clock, tx.actor)
}

/** To move so many keeps the event loop for 10 ms and more on SQLite. */
const manyUsers = 1_000

/**
 * Deletes a role. Its users, and who registers from now on, get the default role `User`, as clients of the classic interface
 * expect; but who registers gets no administrator permissions by that.
 */
export async function deleteRole(ctx: Context, actor: Actor, id: number): Promise<void> {
  const { users_count } = await getRole(ctx.db, id)
  const transaction = users_count > manyUsers ? ctx.backgroundTransaction : ctx.transaction
  return transaction(actor, async (tx) => {
    const role = await lockRole(tx.db, tx.actor, id)
    if (role.removable === 0) throw roleErrors.role_built_in()
    await assertMayGrant(tx.db, tx.actor, defaultRoleId)
    await holdCredentials(tx.db, { roleId: id })
    const moved = await moveUsers(tx.db, id, defaultRoleId, toTimestamp(tx.clock()))
    await assertProofToDelete(tx, role, moved)
    await tx.db.deleteFrom('roles').where('id', '=', id).execute()
    await recordActivity(tx, tx.actor, 'role.deleted', { type: 'role', id }, { users_moved: moved })
    if (await forgetRegistrationRole(tx.db, id)) {
      const fields = ['registration.default_role_id']
      assertFreshProof(tx.clock, tx.actor)
      // Locked: a change of what it permits either came before, or comes later and finds it to be theirs.
      await forShare(tx.db)(tx.db.selectFrom('roles').select('id').where('id', '=', defaultRoleId)).execute()
      const next = await listRolePermissions(tx.db, defaultRoleId)
      const why = whyUnfitForEverybody(next, 'Choose another role for them first.')
      if (why !== undefined) throw why
      await recordActivity(tx, tx.actor, 'settings.updated', { type: 'settings', id: null }, { fields })
    }
  })
}

export async function getRolePermissions(db: ReadDb, id: number): Promise<Permission[]> {
  await getRoleRow(db, id)
  return (await listRolePermissions(db, id)).map(toPermission)
}

/**
 * Why the role of self-registered accounts should not have these permissions: some are administrator permissions, which are all
 * the built-in ones. `instead` says what else to do.
 */
function whyUnfitForEverybody(permissions: readonly PermissionRow[], instead: string): ServiceError | undefined {
  const mighty = permissions.filter(({ removable }) => removable === 0)
  if (mighty.length === 0) return undefined
  const names = mighty.map(({ name }) => name).join(', ')
  return roleErrors.role_of_registration(`Everybody who registers gets this role, and with it ${names}. ${instead}`)
}

/** Refuses administrator permissions for the role of self-registered accounts, unless `force` is sent. */
export function assertFitForEverybody(field: string, permissions: readonly PermissionRow[]): void {
  const why = whyUnfitForEverybody(permissions, 'Send "force": true if you mean that.')
  if (why !== undefined) throw failedAt(field, why)
}

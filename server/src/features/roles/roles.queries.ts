import { covers, type PermissionSet } from '../../core/permissions.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { forKeyShare } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'
import { adminRoleId, type PermissionRow, type RoleRow } from './roles.table.ts'

export const findRole = (db: ReadDb, id: number): Promise<RoleRow | undefined> =>
  db.selectFrom('roles').selectAll().where('id', '=', id).executeTakeFirst()

export const findPermission = (db: ReadDb, id: number): Promise<PermissionRow | undefined> =>
  db.selectFrom('permissions').selectAll().where('id', '=', id).executeTakeFirst()

const selectPermissionNames = prepare((db, roleId: number) =>
  db
    .selectFrom('role_permissions')
    .innerJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select('permissions.name')
    .where('role_permissions.role_id', '=', roleId),
)

/** The permissions of a role. */
export async function findRolePermissions(db: ReadDb, roleId: number): Promise<PermissionSet> {
  if (roleId === adminRoleId) return 'all'
  return new Set((await selectPermissionNames(db, roleId)).map(({ name }) => name))
}

/**
 * Returns those of the names that are permissions. On PostgreSQL, deleting or renaming them waits until the transaction ends,
 * and then finds the key that was given them.
 */
export async function lockPermissions(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const found = await forKeyShare(db)(db.selectFrom('permissions').select('name').where('name', 'in', names)).execute()
  return found.map(({ name }) => name)
}

/** True if these permissions include all of a role's. */
export const coversRole = async (db: ReadDb, held: PermissionSet, roleId: number): Promise<boolean> =>
  held === 'all' || covers(held, await findRolePermissions(db, roleId))

/** The permissions of a role in the order of their ids. */
export const listRolePermissions = (db: ReadDb, roleId: number): Promise<PermissionRow[]> => {
  const all = db.selectFrom('permissions').selectAll('permissions').orderBy('permissions.id')
  if (roleId === adminRoleId) return all.execute()
  return all
    .innerJoin('role_permissions', 'role_permissions.permission_id', 'permissions.id')
    .where('role_permissions.role_id', '=', roleId)
    .execute()
}

/** The permissions of many roles, each in the order of their ids. */
export async function listPermissionsOfRoles(
  db: ReadDb,
  roleIds: readonly number[],
): Promise<Map<number, PermissionRow[]>> {
  const found = new Map<number, PermissionRow[]>(roleIds.map((id) => [id, []]))
  const rows = await db
    .selectFrom('permissions')
    .innerJoin('role_permissions', 'role_permissions.permission_id', 'permissions.id')
    .where('role_permissions.role_id', 'in', roleIds)
    .selectAll('permissions')
    .select('role_permissions.role_id')
    .orderBy('permissions.id')
    .execute()
  for (const { role_id, ...permission } of rows) found.get(role_id)?.push(permission)
  if (found.has(adminRoleId)) found.set(adminRoleId, await listRolePermissions(db, adminRoleId))
  return found
}

/** The number of users of each of these roles. */
export async function countRoleUsers(db: ReadDb, roleIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('user_counts')
    .select((eb) => ['role_id', eb.fn.sum<number>('count').as('users')])
    .where('role_id', 'in', roleIds)
    .groupBy('role_id')
    .execute()
  return new Map(rows.map((row) => [row.role_id, row.users]))
}

export async function isNameTaken(
  db: ReadDb,
  table: 'roles' | 'permissions',
  nameCanonical: string,
  exceptId: number,
): Promise<boolean> {
  const row = await db
    .selectFrom(table)
    .select('id')
    .where('name_canonical', '=', nameCanonical)
    .where('id', '!=', exceptId)
    .executeTakeFirst()
  return row !== undefined
}

export async function replaceRolePermissions(db: Db, roleId: number, permissionIds: readonly number[]): Promise<void> {
  await db.deleteFrom('role_permissions').where('role_id', '=', roleId).execute()
  if (permissionIds.length === 0) return
  await db
    .insertInto('role_permissions')
    .values(permissionIds.map((permission_id) => ({ role_id: roleId, permission_id })))
    .execute()
}

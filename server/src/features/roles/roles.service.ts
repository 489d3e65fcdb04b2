import { isDeepStrictEqual } from 'node:util'
import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { covers, holds, type PermissionSet } from '../../core/permissions.ts'
import { canonicalName } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { changedColumns, checkName, type Named } from './named.ts'
import { roleErrors } from './roles.errors.ts'
import {
  countRoleUsers,
  findRole,
  findRolePermissions,
  listRolePermissions,
  replaceRolePermissions,
} from './roles.queries.ts'
import type { Permission, Role } from './roles.schemas.ts'
import { adminRoleId, defaultRoleId, type PermissionRow, type RoleRow } from './roles.table.ts'

export { findRole, findRolePermissions } from './roles.queries.ts'

const toRole = (row: RoleRow, users: number): Role => {
  const { id, name, display_name, description, removable, created_at, updated_at } = row
  return { id, name, display_name, description, removable: removable === 1, users_count: users, created_at, updated_at }
}

export const toPermission = (row: PermissionRow): Permission => {
  const { id, name, display_name, description, removable, created_at, updated_at } = row
  return { id, name, display_name, description, removable: removable === 1, created_at, updated_at }
}

/** Shapes many roles at once, with how many users each has. */
export async function toRoles(db: Db, rows: readonly RoleRow[]): Promise<Role[]> {
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

async function getRoleRow(db: Db, id: number): Promise<RoleRow> {
  const row = await findRole(db, id)
  if (row === undefined) throw errors.not_found()
  return row
}

export async function getRole(db: Db, id: number): Promise<Role> {
  const [role] = await toRoles(db, [await getRoleRow(db, id)])
  return role as Role
}

/** What a caller may do, by name. */
export async function permissionNames(db: Db, held: PermissionSet): Promise<string[]> {
  if (held !== 'all') return [...held].toSorted()
  return (await listRolePermissions(db, adminRoleId)).map(({ name }) => name).toSorted()
}

/** Nobody gives away, changes or takes away what they do not hold themselves. */
export async function assertMayGrant(db: Db, actor: Actor, roleId: number): Promise<void> {
  if (!covers(actor.permissions, await findRolePermissions(db, roleId))) throw roleErrors.role_above_you()
}

/** Holds the role in place until the transaction ends, and refuses who may not touch it. */
async function lockRole(db: Db, actor: Actor, id: number): Promise<RoleRow> {
  const role = await forUpdate(db)(db.selectFrom('roles').selectAll().where('id', '=', id)).executeTakeFirst()
  if (role === undefined) throw errors.not_found()
  await assertMayGrant(db, actor, id)
  return role
}

export async function createRole(ctx: Context, actor: Actor, draft: Draft<Named>): Promise<Role> {
  return ctx.transaction(async (db) => {
    await checkName(db, 'roles', draft)
    const { name, display_name = null, description = null } = draft.accept()
    const now = toTimestamp(ctx.clock())
    const row = await db
      .insertInto('roles')
      .values({
        ...{ name, name_canonical: canonicalName(name), display_name, description },
        ...{ removable: 1, created_at: now, updated_at: now },
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordActivity(ctx, db, actor, 'role.created', { type: 'role', id: row.id })
    return toRole(row, 0)
  })
}

export async function updateRole(ctx: Context, actor: Actor, id: number, draft: Draft<Partial<Named>>): Promise<Role> {
  return ctx.transaction(async (db) => {
    const role = await lockRole(db, actor, id)
    await checkName(db, 'roles', draft as Draft<Named>, id)
    const changes = changedColumns(draft.accept(), role)
    if (changes.name !== undefined && role.removable === 0) throw roleErrors.role_built_in()
    if (Object.keys(changes).length > 0) {
      await db
        .updateTable('roles')
        .set({ ...changes, updated_at: toTimestamp(ctx.clock()) })
        .where('id', '=', id)
        .execute()
      await recordActivity(ctx, db, actor, 'role.updated', { type: 'role', id })
    }
    return getRole(db, id)
  })
}

/** Deletes a role; its users get the default role `User`, as the interface's clients expect. */
export async function deleteRole(ctx: Context, actor: Actor, id: number): Promise<void> {
  return ctx.transaction(async (db) => {
    const role = await lockRole(db, actor, id)
    if (role.removable === 0) throw roleErrors.role_built_in()
    await assertMayGrant(db, actor, defaultRoleId)
    const moved = await moveUsers(ctx, db, id, defaultRoleId)
    await db.deleteFrom('roles').where('id', '=', id).execute()
    await recordActivity(ctx, db, actor, 'role.deleted', { type: 'role', id }, { users_moved: moved })
  })
}

async function moveUsers(ctx: Context, db: Db, from: number, to: number): Promise<number> {
  const updated = await db
    .updateTable('users')
    .set({ role_id: to, updated_at: toTimestamp(ctx.clock()) })
    .where('role_id', '=', from)
    .executeTakeFirst()
  const counts = await db.deleteFrom('user_counts').where('role_id', '=', from).returning(['status', 'count']).execute()
  for (const { status, count } of counts) {
    await db
      .insertInto('user_counts')
      .values({ role_id: to, status, count })
      .onConflict((conflict) =>
        conflict.columns(['role_id', 'status']).doUpdateSet((eb) => ({ count: eb('user_counts.count', '+', count) })),
      )
      .execute()
  }
  return Number(updated.numUpdatedRows)
}

export async function getRolePermissions(db: Db, id: number): Promise<Permission[]> {
  await getRoleRow(db, id)
  return (await listRolePermissions(db, id)).map(toPermission)
}

/** Gives a role exactly these permissions, each by its name or id. Nobody widens or narrows a role beyond their own. */
export async function setRolePermissions(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<{ permissions: (string | number)[] }>,
): Promise<Permission[]> {
  return ctx.transaction(async (db) => {
    await lockRole(db, actor, id)
    if (id === adminRoleId) throw roleErrors.role_built_in()
    const wanted = await findWanted(db, draft)
    if (wanted.some(({ name }) => !holds(actor.permissions, name))) throw roleErrors.role_above_you()
    const before = await listRolePermissions(db, id)
    await replaceRolePermissions(
      db,
      id,
      wanted.map((permission) => permission.id),
    )
    const details = { before: before.map(({ name }) => name), after: wanted.map(({ name }) => name) }
    if (!isDeepStrictEqual(details.before, details.after)) {
      await recordActivity(ctx, db, actor, 'role.permissions_changed', { type: 'role', id }, details)
    }
    return wanted.map(toPermission)
  })
}

async function findWanted(db: Db, draft: Draft<{ permissions: (string | number)[] }>): Promise<PermissionRow[]> {
  const known = await db.selectFrom('permissions').selectAll().orderBy('id').execute()
  const wanted = new Set<PermissionRow>()
  for (const given of draft.given.permissions ?? []) {
    const found = known.find(({ id, name }) => id === given || name === given)
    if (found === undefined) draft.reject('permissions', `There is no permission ${JSON.stringify(given)}.`)
    else wanted.add(found)
  }
  draft.accept()
  return known.filter((permission) => wanted.has(permission))
}

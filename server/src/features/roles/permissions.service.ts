import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { holds } from '../../core/permissions.ts'
import { canonicalName } from '../../core/text.ts'
import { toTimestamp } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { replaceInKeys } from './key-scopes.ts'
import { changedColumns, checkName, type Named } from './named.ts'
import { roleErrors } from './roles.errors.ts'
import { findPermission } from './roles.queries.ts'
import type { Permission } from './roles.schemas.ts'
import { toPermission } from './roles.service.ts'
import type { PermissionRow } from './roles.table.ts'

export async function getPermission(db: ReadDb, id: number): Promise<Permission> {
  const row = await findPermission(db, id)
  if (row === undefined) throw errors.not_found()
  return toPermission(row)
}

async function lockPermission(db: ReadDb, id: number): Promise<PermissionRow> {
  const row = await forUpdate(db)(db.selectFrom('permissions').selectAll().where('id', '=', id)).executeTakeFirst()
  if (row === undefined) throw errors.not_found()
  return row
}

/** Creates a permission for the application's own use. The administrator role gets it at once. */
export async function createPermission(ctx: Context, actor: Actor, draft: Draft<Named>): Promise<Permission> {
  return ctx.transaction(actor, async (tx) => {
    await checkName(tx.db, 'permissions', draft)
    const { name, display_name = null, description = null } = draft.accept()
    const now = toTimestamp(tx.clock())
    const row = await tx.db
      .insertInto('permissions')
      .values({
        name,
        name_canonical: canonicalName(name),
        display_name,
        description,
        removable: 1,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await recordActivity(tx, tx.actor, 'permission.created', { type: 'permission', id: row.id })
    return toPermission(row)
  })
}

export async function updatePermission(
  ctx: Context,
  actor: Actor,
  id: number,
  draft: Draft<Partial<Named>>,
): Promise<Permission> {
  const transaction = draft.given.name === undefined ? ctx.transaction : ctx.backgroundTransaction // a new name changes API keys, too
  return transaction(actor, async (tx) => {
    const permission = await lockPermission(tx.db, id)
    await checkName(tx.db, 'permissions', draft, id)
    const changes = changedColumns(draft.accept(), permission)
    if (changes.name !== undefined) assertMayReplace(tx.actor, permission)
    if (Object.keys(changes).length > 0) {
      // The texts of a built-in permission tell whoever gives it what it allows.
      if (permission.removable === 0) assertHolds(tx.actor, permission)
      const now = toTimestamp(tx.clock())
      if (changes.name !== undefined) await replaceInKeys(tx.db, permission.name, changes.name, now)
      await tx.db
        .updateTable('permissions')
        .set({ ...changes, updated_at: now })
        .where('id', '=', id)
        .execute()
      await recordActivity(tx, tx.actor, 'permission.updated', { type: 'permission', id })
    }
    return getPermission(tx.db, id)
  })
}

/** Deletes a permission and removes it from all roles and API keys. */
export async function deletePermission(ctx: Context, actor: Actor, id: number): Promise<void> {
  return ctx.backgroundTransaction(actor, async (tx) => {
    const permission = await lockPermission(tx.db, id)
    assertMayReplace(tx.actor, permission)
    await tx.db.deleteFrom('permissions').where('id', '=', id).execute()
    await replaceInKeys(tx.db, permission.name, null, toTimestamp(tx.clock()))
    await recordActivity(tx, tx.actor, 'permission.deleted', { type: 'permission', id }, { name: permission.name })
  })
}

/** Applications ask for permissions by name, so renaming or deleting one takes it from its holders. The actor must hold it. */
function assertMayReplace(actor: Actor, permission: PermissionRow): void {
  if (permission.removable === 0) throw roleErrors.permission_built_in()
  assertHolds(actor, permission)
}

function assertHolds(actor: Actor, permission: PermissionRow): void {
  if (!holds(actor.permissions, permission.name)) throw roleErrors.role_above_you('You lack this permission yourself.')
}

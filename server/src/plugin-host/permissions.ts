import type { Plugin } from '@gatehouse/plugin-kit'
import { canonicalName } from '../core/text.ts'
import type { Db, ReadDb } from '../db/database.ts'
import type { PermissionRow } from '../features/roles/roles.table.ts'
import type { PluginRow } from './plugins.table.ts'
import { refusePlugin } from './refuse.ts'

/** A permission of an unlisted plugin, and the roles that had it. */
interface SuspendedPermission extends PermissionRow {
  readonly roles: readonly number[]
}

/** What is stored of an unlisted plugin. */
const suspendedPermissions = (row: PluginRow): SuspendedPermission[] => JSON.parse(row.parked) as SuspendedPermission[]

const namesOf = (row: PluginRow): string[] => JSON.parse(row.permissions) as string[]

const findOwn = async (db: ReadDb, names: readonly string[]): Promise<PermissionRow[]> =>
  names.length === 0 ? [] : db.selectFrom('permissions').selectAll().where('name', 'in', names).execute()

type Texts = Pick<PermissionRow, 'name' | 'display_name' | 'description'>

/** True if the plugin has other words for it now, and no administrator has written any: that sets `updated_at`. */
const hasOldTexts = (row: PermissionRow, { display_name, description }: Texts): boolean =>
  row.updated_at === row.created_at && (row.display_name !== display_name || row.description !== description)

/** True if a start would change the words of a permission. */
export async function lacksTexts(db: ReadDb, plugins: readonly Plugin[]): Promise<boolean> {
  const declared = plugins.flatMap(({ permissions = [] }) => permissions)
  const rows = await findOwn(
    db,
    declared.map(({ name }) => name),
  )
  return rows.some((row) => declared.some((one) => one.name === row.name && hasOldTexts(row, one)))
}

/** Removes the permissions of an unlisted plugin, and stores which roles had them. */
export async function parkPermissions(db: Db, row: PluginRow): Promise<void> {
  const suspended = new Map(suspendedPermissions(row).map((permission) => [permission.name, permission]))
  const found = await findOwn(db, namesOf(row))
  if (found.length === 0) return
  for (const permission of found) {
    const grants = await db
      .selectFrom('role_permissions')
      .select('role_id')
      .where('permission_id', '=', permission.id)
      .execute()
    suspended.set(permission.name, { ...permission, roles: grants.map(({ role_id }) => role_id) })
    await db.deleteFrom('permissions').where('id', '=', permission.id).execute()
  }
  await db
    .updateTable('plugins')
    .set({ parked: JSON.stringify([...suspended.values()]) })
    .where('id', '=', row.id)
    .execute()
}

/** Sets a listed plugin's permissions to those that it declares; suspended ones are restored. */
export async function syncPermissions(
  db: Db,
  source: string,
  plugin: Plugin,
  row: PluginRow,
  now: string,
): Promise<void> {
  const declared = plugin.permissions ?? []
  const wanted = declared.map(({ name }) => name)
  const suspended = new Map(suspendedPermissions(row).map((permission) => [permission.name, permission]))
  const own = namesOf(row)
  const found = await findOwn(db, [...new Set([...own, ...wanted])])
  const there = new Map(found.map((row) => [row.name, row]))
  for (const { name, display_name, description } of declared) {
    if (there.has(name) && !own.includes(name))
      refusePlugin(source, `there is a permission "${name}" already. Start without the plugin and rename or delete it.`)
    if (!there.has(name)) {
      const fresh = { name, name_canonical: canonicalName(name), display_name, description, removable: 0 }
      const { roles, ...kept } = suspended.get(name) ?? { roles: [], ...fresh, created_at: now, updated_at: now }
      const row = await db.insertInto('permissions').values(kept).returningAll().executeTakeFirstOrThrow()
      await grantAgain(db, row.id, roles)
      there.set(name, row)
    }
    const row = there.get(name) as PermissionRow
    if (hasOldTexts(row, { name, display_name, description }))
      await db.updateTable('permissions').set({ display_name, description }).where('id', '=', row.id).execute()
  }
  const dropped = own.filter((name) => !wanted.includes(name))
  if (dropped.length > 0) await db.deleteFrom('permissions').where('name', 'in', dropped).execute()
  await db
    .updateTable('plugins')
    .set({ permissions: JSON.stringify(wanted), parked: '[]' })
    .where('id', '=', row.id)
    .execute()
}

/** Restores it to the roles that still exist; ids of deleted roles are never reused. */
async function grantAgain(db: Db, permissionId: number, roleIds: readonly number[]): Promise<void> {
  if (roleIds.length === 0) return
  await db
    .insertInto('role_permissions')
    .columns(['role_id', 'permission_id'])
    .expression((eb) =>
      eb
        .selectFrom('roles')
        .select((role) => ['id', role.val(permissionId).as('permission_id')])
        .where('id', 'in', roleIds),
    )
    .execute()
}

/** Forgets a plugin's permissions and the roles that had them. */
export async function removePermissions(db: Db, row: PluginRow): Promise<void> {
  const names = namesOf(row)
  if (names.length > 0) await db.deleteFrom('permissions').where('name', 'in', names).execute()
}

import type { Db, ReadDb } from '../../db/database.ts'
import { forKeyShare } from '../../db/dialect.ts'
import { defaultRoleId } from './roles.table.ts'

/*
 * The role of new accounts is a setting. It is read here and not in the settings feature, which is above this one: that one asks
 * the roles whether a role may be chosen.
 */

const setting = 'registration.default_role_id'

/** The role that is chosen for new accounts. */
export async function readRegistrationRole(db: ReadDb): Promise<number> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', setting).executeTakeFirst()
  return row === undefined ? defaultRoleId : JSON.parse(row.value)
}

/**
 * The role that new accounts get: the chosen one, or the built-in one if that was deleted. It is locked until the transaction
 * ends, and then read again: an administrator may choose another one at this moment, and make this one mightier.
 */
export async function lockRegistrationRole(db: Db): Promise<number> {
  for (;;) {
    const chosen = await readRegistrationRole(db)
    const locked = forKeyShare(db)(db.selectFrom('roles').select('id').where('id', '=', chosen))
    const role = (await locked.executeTakeFirst())?.id ?? defaultRoleId
    if ((await readRegistrationRole(db)) === chosen) return role
  }
}

/** If new accounts got this role, they get the built-in one from now on. True if they did. */
export async function forgetRegistrationRole(db: Db, roleId: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('settings')
    .where('name', '=', setting)
    .where('value', '=', JSON.stringify(roleId))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

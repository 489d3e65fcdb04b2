import { canonicalEmail } from '../core/email-address.ts'
import { errors } from '../core/errors.ts'
import { canonicalName } from '../core/text.ts'
import type { ReadDb } from '../db/database.ts'
import type { UserRow } from '../features/accounts/users.table.ts'

/** Finds the user that an operator names by id, email address or username. */
export async function findUserByName(db: ReadDb, name: string): Promise<UserRow> {
  const users = db.selectFrom('users').selectAll()
  const found = /^\d{1,15}$/.test(name)
    ? users.where('id', '=', Number(name))
    : name.includes('@')
      ? users.where('email_canonical', '=', canonicalEmail(name))
      : users.where('username_canonical', '=', canonicalName(name))
  const user = await found.executeTakeFirst()
  if (user === undefined) throw errors.not_found(`There is no user "${name}".`)
  return user
}

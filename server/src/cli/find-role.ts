import { validationFailed } from '../core/errors.ts'
import { canonicalName } from '../core/text.ts'
import type { ReadDb } from '../db/database.ts'

/** The id of the role that an operator names. */
export async function roleIdOf(db: ReadDb, name: string): Promise<number> {
  const role = await db
    .selectFrom('roles')
    .select('id')
    .where('name_canonical', '=', canonicalName(name))
    .executeTakeFirst()
  if (role === undefined) throw validationFailed({ role: [`There is no role "${name}".`] })
  return role.id
}

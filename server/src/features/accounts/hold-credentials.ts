import type { Db } from '../../db/database.ts'
import { forUpdate, isPostgres } from '../../db/dialect.ts'

/**
 * Waits for what is being changed with the credentials of these users, and keeps what begins later waiting until the transaction
 * ends: who loses a permission changes nothing once it is gone. SQLite's transactions exclude each other anyway.
 */
export async function holdCredentials(db: Db, users: readonly number[] | { readonly roleId: number }): Promise<void> {
  if (!isPostgres(db)) return
  const ids = 'roleId' in users ? db.selectFrom('users').select('id').where('role_id', '=', users.roleId) : users
  for (const table of ['sessions', 'api_keys'] as const)
    await forUpdate(db)(db.selectFrom(table).select('id').where('user_id', 'in', ids)).execute()
}

import type { Db } from '../../db/database.ts'
import { forUpdate, isPostgres } from '../../db/dialect.ts'

/**
 * Locks the sessions and API keys of these users before they lose a permission, are suspended, or lack a second factor. It waits
 * for the transactions that use them; later ones wait for this transaction, and see what it has changed. SQLite needs no lock:
 * its write transactions exclude each other.
 */
export async function holdCredentials(db: Db, users: readonly number[] | { readonly roleId: number }): Promise<void> {
  if (!isPostgres(db)) return
  const ids = 'roleId' in users ? db.selectFrom('users').select('id').where('role_id', '=', users.roleId) : users
  for (const table of ['sessions', 'api_keys'] as const)
    await forUpdate(db)(db.selectFrom(table).select('id').where('user_id', 'in', ids)).execute()
}

import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'
import type { ApiKeyRow } from './api-keys.table.ts'

/** The key's row, its owner's status and role, and one row for each permission of that role: all that a request needs. */
export const selectHolder = prepare((db, keyHash: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.permissions', 'api_keys.expires_at', 'api_keys.last_used_at'])
    .select(['users.role_id', 'users.status', 'permissions.name as permission'])
    .where('api_keys.key_hash', '=', keyHash),
)

export const findApiKey = (db: Db, id: number): Promise<ApiKeyRow | undefined> =>
  forUpdate(db)(db.selectFrom('api_keys').selectAll().where('id', '=', id)).executeTakeFirst()

/** Notes a use unless one was noted after `since`. */
export async function touchApiKey(db: Db, id: number, now: string, since: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where(sql<boolean>`(last_used_at is null or last_used_at < ${since})`)
    .execute()
}

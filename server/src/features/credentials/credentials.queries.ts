import type { Db, ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'

/*
 * The only place that reads what authentication depends on. A trigger watches each column that these queries use (migration
 * 0004), so that a change takes effect at the next request on every node. `watched-columns.test.ts` finds a column that is
 * not watched.
 */

/** Changes with everything that authentication depends on. */
export const selectVersion = prepare((db) => db.selectFrom('credential_version').select('version'))

/** The key's row, its owner's status and role, and one row for each permission of that role. */
export const keyHolders = (db: ReadDb) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.permissions', 'api_keys.expires_at', 'api_keys.last_used_at'])
    .select(['users.role_id', 'users.status', 'permissions.name as permission'])

export const selectKeyByHash = prepare((db, keyHash: string) => keyHolders(db).where('api_keys.key_hash', '=', keyHash))
export const selectKeyById = prepare((db, id: number) => keyHolders(db).where('api_keys.id', '=', id))

/** The session's row, its user's status and role, and one row for each permission of that role. */
export const sessionHolders = (db: ReadDb) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.last_activity', 'sessions.created_at'])
    .select(['users.role_id', 'users.status', 'permissions.name as permission'])

export const selectSessionByHash = prepare((db, tokenHash: string) =>
  sessionHolders(db).where('sessions.token_hash', '=', tokenHash),
)
export const selectSessionById = prepare((db, id: string) => sessionHolders(db).where('sessions.id', '=', id))

/*
 * Reads the version and locks the credential's row until the transaction ends: on PostgreSQL a revocation waits for changes
 * that are being made with the credential. No row: the credential is gone. It is the weakest lock that a delete waits for;
 * notes of use do not wait for it.
 */
const lockKey = prepare((db, id: number) => {
  const query = db
    .selectFrom('api_keys')
    .select((eb) => eb.selectFrom('credential_version').select('version').as('version'))
    .where('id', '=', id)
  return isPostgres(db) ? query.forKeyShare() : query
})
const lockSession = prepare((db, id: string) => {
  const query = db
    .selectFrom('sessions')
    .select((eb) => eb.selectFrom('credential_version').select('version').as('version'))
    .where('id', '=', id)
  return isPostgres(db) ? query.forKeyShare() : query
})

/** The credential version as the transaction sees it, with this credential locked; undefined if it is gone. */
export async function lockCredential(
  db: ReadDb,
  { apiKeyId, sessionId }: { apiKeyId: number | null; sessionId: string | null },
): Promise<number | undefined> {
  const [row] =
    apiKeyId !== null ? await lockKey(db, apiKeyId) : sessionId !== null ? await lockSession(db, sessionId) : []
  return row?.version ?? undefined
}

/** Records a use of a key unless one was recorded after `since`. */
export async function touchApiKey(db: Db, id: number, now: string, since: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', since)]))
    .execute()
}

/** Records a use of a session unless one was recorded after `since`. */
export async function touchSession(db: Db, id: string, now: string, since: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_activity: now })
    .where('id', '=', id)
    .where('last_activity', '<', since)
    .execute()
}

import type { Db, ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'

/*
 * What decides about a credential is read here and nowhere else. A column that these queries depend on is watched by a trigger
 * (migration 0004), so that a change of it counts at the next request on every node; `watched-columns.test.ts` finds one
 * that is not.
 */

/** Changes with everything that decides about credentials. */
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
 * The version, with the credential's row held in place until the transaction ends: on PostgreSQL a revocation waits for the
 * changes that are being made with the credential. No row: it is gone. The weakest lock that a delete waits for; notes of use
 * do not.
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

/** The version of all credentials as the transaction sees it, while this one is held in place; undefined when it is gone. */
export async function lockCredential(
  db: ReadDb,
  { apiKeyId, sessionId }: { apiKeyId: number | null; sessionId: string | null },
): Promise<number | undefined> {
  const [row] =
    apiKeyId !== null ? await lockKey(db, apiKeyId) : sessionId !== null ? await lockSession(db, sessionId) : []
  return row?.version ?? undefined
}

/** Notes a use of a key unless one was noted after `since`. */
export async function touchApiKey(db: Db, id: number, now: string, since: string): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((is) => is.or([is('last_used_at', 'is', null), is('last_used_at', '<', since)]))
    .execute()
}

/** Notes a use of a session unless one was noted after `since`. */
export async function touchSession(db: Db, id: string, now: string, since: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_activity: now })
    .where('id', '=', id)
    .where('last_activity', '<', since)
    .execute()
}

import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { forKeyShare } from '../../db/dialect.ts'
import { prepare } from '../../db/prepare.ts'
import { rowsOf } from '../../db/rows.ts'

/*
 * The only place that reads what authentication depends on. A trigger watches each column that these queries use (migrations
 * 0004 and 0020), so that a change takes effect at the next request on every node. `watched-columns.test.ts` finds a column that is
 * not watched.
 */

/** Changes with everything that authentication depends on. */
export const selectVersion = prepare((db) => db.selectFrom('credential_version').select('version'))

/** The key's row, its owner's status and role, and one row for each permission of that role. */
export const keyHolders = (db: ReadDb) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.permissions', 'api_keys.expires_at', 'api_keys.last_used_at'])
    .select(['users.role_id', 'users.status', 'users.two_factor_options', 'roles.two_factor'])
    .select('permissions.name as permission')

export const selectKeyByHash = prepare((db, keyHash: string) => keyHolders(db).where('api_keys.key_hash', '=', keyHash))
export const selectKeyById = prepare((db, id: number) => keyHolders(db).where('api_keys.id', '=', id))

/** The session's row, its user's status and role, and one row for each permission of that role. */
export const sessionHolders = (db: ReadDb) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('roles', 'roles.id', 'users.role_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.last_activity', 'sessions.created_at', 'sessions.proved_ms'])
    .select(['users.role_id', 'users.status', 'users.two_factor_options', 'roles.two_factor'])
    .select('permissions.name as permission')

export const selectSessionByHash = prepare((db, tokenHash: string) =>
  sessionHolders(db).where('sessions.token_hash', '=', tokenHash),
)
export const selectSessionById = prepare((db, id: string) => sessionHolders(db).where('sessions.id', '=', id))

/*
 * Locks the credential's row until the transaction ends: on PostgreSQL a revocation waits for changes that are being made with
 * the credential. No row: the credential is gone. It is the weakest lock that a delete waits for; notes of use do not wait
 * for it.
 */
const lockKey = prepare((db, id: number) =>
  forKeyShare(db)(db.selectFrom('api_keys').select('id').where('id', '=', id)),
)
const lockSession = prepare((db, id: string) =>
  forKeyShare(db)(db.selectFrom('sessions').select('id').where('id', '=', id)),
)

/**
 * Locks the credential and returns the credential version as it is then; undefined if the credential is gone. The version is a
 * statement of its own: the one that locks sees what was committed before it began, and it may have waited for a demotion.
 */
export async function lockCredential(
  db: ReadDb,
  { apiKeyId, sessionId }: { apiKeyId: number | null; sessionId: string | null },
): Promise<number | undefined> {
  const [locked, version] = await Promise.allSettled([
    apiKeyId !== null ? lockKey(db, apiKeyId) : sessionId !== null ? lockSession(db, sessionId) : [],
    selectVersion(db),
  ])
  // In this order: where the first statement failed, PostgreSQL says of the second no more than that.
  if (locked.status === 'rejected') throw locked.reason
  if (version.status === 'rejected') throw version.reason
  return locked.value.length === 0 ? undefined : version.value[0]?.version
}

/** A use of a credential. */
export interface Use<Id> {
  readonly id: Id
  readonly now: string
  /** Nothing is written if a use is recorded that is not older than this. */
  readonly since: string
}

/** Records uses of API keys. */
export async function noteKeys(db: Db, uses: readonly Use<number>[]): Promise<void> {
  const given = rowsOf(db, { id: 'integer', now: 'text', since: 'text' }, uses)
  await sql`
    update api_keys set last_used_at = given.now from ${given}
    where api_keys.id = given.id and (last_used_at is null or last_used_at < given.since)`.execute(db)
}

/** Records uses of sessions. */
export async function noteSessions(db: Db, uses: readonly Use<string>[]): Promise<void> {
  const given = rowsOf(db, { id: 'text', now: 'text', since: 'text' }, uses)
  await sql`
    update sessions set last_activity = given.now from ${given}
    where sessions.id = given.id and last_activity < given.since`.execute(db)
}

import type { Db } from '../../db/database.ts'
import { prepare } from '../../db/prepare.ts'
import type { SessionRow } from './sessions.table.ts'

/** The session's row, its user's status and role, and one row for each permission of that role. */
export const selectSessionHolder = prepare((db, tokenHash: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('role_permissions', 'role_permissions.role_id', 'users.role_id')
    .leftJoin('permissions', 'permissions.id', 'role_permissions.permission_id')
    .select(['sessions.id', 'sessions.user_id', 'sessions.last_activity', 'sessions.created_at'])
    .select(['users.role_id', 'users.status', 'permissions.name as permission'])
    .where('sessions.token_hash', '=', tokenHash),
)

export interface Alive {
  /** Used at or after this moment. */
  readonly usedSince: string
  /** Begun at or after this moment. */
  readonly begunSince: string
}

export const listAliveSessions = (db: Db, userId: number, { usedSince, begunSince }: Alive): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('last_activity', '>', usedSince)
    .where('created_at', '>', begunSince)
    .orderBy('last_activity', 'desc')
    .orderBy('id')
    .execute()

export const findAliveSession = (
  db: Db,
  id: string,
  { usedSince, begunSince }: Alive,
): Promise<SessionRow | undefined> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('id', '=', id)
    .where('last_activity', '>', usedSince)
    .where('created_at', '>', begunSince)
    .executeTakeFirst()

export async function touchSession(db: Db, id: string, now: string, since: string): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_activity: now })
    .where('id', '=', id)
    .where('last_activity', '<', since)
    .execute()
}

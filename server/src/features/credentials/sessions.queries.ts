import type { Db, ReadDb } from '../../db/database.ts'
import type { SessionRow } from './sessions.table.ts'

export interface Alive {
  /** Used at or after this moment. */
  readonly usedSince: string
  /** Begun at or after this moment. */
  readonly begunSince: string
}

export const listAliveSessions = (
  db: ReadDb,
  userId: number,
  { usedSince, begunSince }: Alive,
): Promise<SessionRow[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('last_activity', '>', usedSince)
    .where('created_at', '>', begunSince)
    .orderBy('last_activity', 'desc')
    .orderBy('id')
    .execute()

/** Ends the sessions of a user beyond the newest ones; those that were used longest ago go. */
export async function endOldestSessions(db: Db, userId: number, newest: number): Promise<void> {
  const beyond = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_activity', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1_000_000) // SQLite takes no offset without a limit
    .offset(newest)
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'in', beyond).execute()
}

export const findAliveSession = (
  db: ReadDb,
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

import type { ReadDb } from '../../db/database.ts'
import { prepareInsert, prepareWrite } from '../../db/prepare.ts'
import type { SessionRow } from './sessions.table.ts'

export const insertSession = prepareInsert('sessions', [
  'id',
  'user_id',
  'token_hash',
  'ip_address',
  'user_agent',
  'browser',
  'platform',
  'device',
  'last_activity',
  'created_at',
  'proved_ms',
])

export interface Alive {
  /** Last used at or after this moment. */
  readonly usedSince: string
  /** Started at or after this moment. */
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

/** Ends a user's sessions beyond the limit, those that were used longest ago first. */
export const endOldestSessions = prepareWrite((db, userId: number, newest: number) => {
  const beyond = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_activity', 'desc')
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(1_000_000) // SQLite has no OFFSET without LIMIT
    .offset(newest)
  return db.deleteFrom('sessions').where('user_id', '=', userId).where('id', 'in', beyond)
})

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

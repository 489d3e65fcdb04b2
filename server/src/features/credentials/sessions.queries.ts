import { toTimestamp } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { forKeyShare } from '../../db/dialect.ts'
import { prepare, prepareInsert, prepareWrite } from '../../db/prepare.ts'
import { isWaiting } from '../jobs/jobs.table.ts'
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

/** Locks the role of a locked user until the transaction ends: what takes permissions from the role waits, and then finds the new session. */
export const holdRoleOf = prepare((db, userId: number) =>
  forKeyShare(db)(
    db
      .selectFrom('roles')
      .select('id')
      .where('id', '=', (eb) => eb.selectFrom('users').select('role_id').where('users.id', '=', userId)),
  ),
)

export interface Alive {
  /** Last used after this moment. */
  readonly usedSince: string
  /** Started after this moment. */
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
    .orderBy('proved_ms', 'desc') // of one second
    .orderBy('id')
    .execute()

/** Ends a session at once, with the jobs that it started; false if it is gone. */
export async function removeSession(db: Db, id: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Longer ago than any session may last. */
const longAgo = toTimestamp(new Date(0))
const expired = { last_activity: longAgo, created_at: longAgo }

/**
 * Signs a session out; false if it is gone or was signed out. If jobs that it started are still running, its row stays, expired, and they go on.
 * Ending all sessions of the user deletes the row, which stops them.
 */
export async function leaveSession(db: Db, id: string): Promise<boolean> {
  const jobs = db.selectFrom('jobs').select('id').where('session_id', '=', id).where(isWaiting)
  const session = db.updateTable('sessions').set(expired).where('id', '=', id).where('created_at', '>', longAgo)
  const { numUpdatedRows } = await session.where(({ exists }) => exists(jobs)).executeTakeFirst()
  if (numUpdatedRows > 0n) return true
  const rest = db.deleteFrom('sessions').where('id', '=', id).where('created_at', '>', longAgo)
  return (await rest.executeTakeFirst()).numDeletedRows > 0n
}

/** Expires a user's sessions beyond the limit, the least recently used first. Their rows stay until the clean-up, for their jobs. */
export const expireOldestSessions = prepareWrite((db, userId: number, newest: number) => {
  const beyond = db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('last_activity', 'desc')
    .orderBy('proved_ms', 'desc') // of one second
    .orderBy('id')
    .limit(1_000_000) // SQLite has no OFFSET without LIMIT
    .offset(newest)
  return db
    .updateTable('sessions')
    .set(expired)
    .where('user_id', '=', userId)
    .where('id', 'in', beyond)
    .where('created_at', '>', longAgo)
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

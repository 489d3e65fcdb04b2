import { randomBytes } from 'node:crypto'
import { networkOf } from '../../core/addresses.ts'
import { type Context, type Origin, type Reads, type Tx, userActor } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { among } from '../../db/rows.ts'
import { chosenBy } from '../../mails/name-of.ts'
import { rememberClient } from '../../security/sign-in-guard/clients.ts'
import { findUser, noteSignIn } from '../accounts/users.queries.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { isWaiting } from '../jobs/jobs.table.ts'
import { sendSecurityMail } from '../security-mails/security-mail.ts'
import { readSettings } from '../settings/settings.service.ts'
import { voidBegun } from './pending.ts'
import {
  expireOldestSessions,
  findAliveSession,
  holdRoleOf,
  insertSession,
  leaveSession,
  listAliveSessions,
  removeSession,
} from './sessions.queries.ts'
import type { SessionRow } from './sessions.table.ts'
import { describeAgent } from './user-agent.ts'

export { leaveSession, removeSession }

/** How far `last_activity` may lag behind. A write for each request would cost more than a session that ends slightly early. */
const maxLagMs = 60_000
const lagOf = (idleMs: number): number => Math.min(maxLagMs, idleMs / 20)

/** The earliest last use and the earliest start of a session that is still alive. */
export async function aliveSince(from: Reads) {
  const settings = await readSettings(from)
  const idleMs = settings['session.idle_minutes'] * 60_000
  const absoluteMs = settings['session.absolute_hours'] * 3_600_000
  const ago = (ms: number) => toTimestamp(new Date(from.clock().getTime() - ms))
  return { usedSince: ago(idleMs), begunSince: ago(absoluteMs), idleMs, absoluteMs, lagMs: lagOf(idleMs) }
}

/** What completed a sign-in. */
export type SignInMethod = 'password' | 'email_link' | 'totp' | 'sms' | 'passkey' | 'recovery_code'

export interface SignInWay {
  readonly method: SignInMethod
  /** The method that was offered first: choosing a weaker one is worth a note. */
  readonly preferred?: string
}

/**
 * Starts a session of a locked user. If they have too many, it replaces the one that was used longest ago. The returned token is
 * stored nowhere else.
 */
export async function createSession(
  tx: Tx,
  userId: number,
  origin: Origin,
  deviceName: string | null = null,
  { method, preferred = method }: SignInWay = { method: 'password' },
): Promise<string> {
  const { 'session.max_per_user': mostSessions } = await readSettings(tx)
  await holdRoleOf(tx.db, userId)
  await expireOldestSessions(tx.db, userId, mostSessions - 1)
  const token = `gs_${randomBytes(32).toString('base64url')}`
  const id = randomBytes(16).toString('base64url')
  const now = toTimestamp(tx.clock())
  const agent = describeAgent(origin.userAgent)
  await insertSession(tx.db, {
    id,
    user_id: userId,
    token_hash: hashSecret(token),
    ip_address: origin.ip,
    user_agent: origin.userAgent,
    browser: agent.browser,
    platform: agent.platform,
    device: deviceName ?? agent.device,
    last_activity: now,
    created_at: now,
    proved_ms: tx.clock().getTime(),
  })
  const { browser, platform } = agent
  const isNew = await rememberClient(tx, userId, { ip: origin.ip, browser, platform })
  await noteSignIn(tx.db, userId, now)
  if (isNew) await tellOfSignIn(tx, userId, origin)
  const details = preferred === method || method === 'passkey' ? { method } : { method, preferred }
  await recordActivity(tx, userActor(userId, origin, id), 'user.signed_in', { type: 'user', id: userId }, details)
  return token
}

/** Tells a user that somebody signed in with a network and browser that their account never had. */
async function tellOfSignIn(tx: Tx, userId: number, origin: Origin): Promise<void> {
  const user = await findUser(tx.db, userId)
  if (user === undefined) return
  const { browser, platform } = describeAgent(origin.userAgent)
  const told = {
    browser: chosenBy(user, browser ?? 'unknown', 'unknown'),
    platform: chosenBy(user, platform ?? '', ''),
    network: networkOf(origin.ip ?? ''),
  }
  await sendSecurityMail(tx, user, 'new-sign-in', told)
}

/** A user's live sessions, newest activity first. */
export const findLiveSessions = async (from: Reads, userId: number): Promise<SessionRow[]> =>
  listAliveSessions(from.db, userId, await aliveSince(from))

/** The session's row if the session is alive. */
export const findLiveSession = async (from: Reads, id: string): Promise<SessionRow | undefined> =>
  findAliveSession(from.db, id, await aliveSince(from))

/** Ends every session of a user except `exceptId`, as part of a larger change, and what sessions have begun. */
export async function endUserSessions(db: Db, userId: number, exceptId: string | null = null): Promise<void> {
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (exceptId === null ? sessions : sessions.where('id', '!=', exceptId)).execute()
  await voidBegun(db, [userId])
}

/** Ends every session of these users, and what sessions have begun. */
export async function endSessionsOf(db: Db, userIds: readonly number[]): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', 'in', among(db, userIds)).execute()
  await voidBegun(db, userIds)
}

/** Removes expired sessions, except those that started a job which has not ended. */
export async function removeOldSessions(ctx: Context): Promise<void> {
  const { usedSince, begunSince } = await aliveSince(ctx)
  const { unguarded: db } = ctx
  const busy = db
    .selectFrom('jobs')
    .select('session_id')
    .where(isWaiting)
    .where('session_id', 'is not', null)
    .$narrowType<{ session_id: string }>()
  await deleteInPieces(db, 'sessions', ['id'], (eb) => {
    const isExpired = eb.or([eb('last_activity', '<=', usedSince), eb('created_at', '<=', begunSince)])
    return eb.and([isExpired, eb('id', 'not in', busy)])
  })
}

import { randomBytes } from 'node:crypto'
import Bowser from 'bowser'
import { type Context, type Origin, type Reads, type Tx, userActor } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { rememberNetwork } from '../../security/sign-in-guard/networks.ts'
import { noteSignIn } from '../accounts/users.queries.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { readSettings } from '../settings/settings.service.ts'
import { endOldestSessions, findAliveSession, listAliveSessions } from './sessions.queries.ts'
import type { SessionRow } from './sessions.table.ts'

/** How far `last_activity` may lag behind. A write for each request would cost more than a session that ends slightly early. */
const maxLagMs = 60_000
const lagOf = (idleMs: number): number => Math.min(maxLagMs, idleMs / 20)

/** The earliest last use and the earliest start of a session that is still alive. */
export async function aliveSince(from: Reads) {
  const settings = await readSettings(from)
  const idleMs = settings['session.idle_minutes'] * 60_000
  const absoluteMs = settings['session.absolute_hours'] * 3_600_000
  const ago = (ms: number) => toTimestamp(new Date(from.clock().getTime() - ms))
  return { usedSince: ago(idleMs), begunSince: ago(absoluteMs), absoluteMs, lagMs: lagOf(idleMs) }
}

/** A readable name of the user agent. */
function describeAgent(userAgent: string | null): Pick<SessionRow, 'browser' | 'platform' | 'device'> {
  if (userAgent === null || userAgent.trim() === '') return { browser: null, platform: null, device: null }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const kind = platform.type ?? null
  // Clients other than browsers name themselves first (RFC 9110 §10.1.5): `curl/8.14.1`.
  const program = /^([\w.-]{1,50})\//.exec(userAgent)?.[1] ?? null
  return {
    browser: browser.name?.slice(0, 50) || program,
    platform: os.name || null,
    device: platform.model ?? (kind === null ? null : kind[0]?.toUpperCase() + kind.slice(1)),
  }
}

/**
 * Starts a session. If the user has too many, it replaces the one that was used longest ago. The returned token is stored
 * nowhere else.
 */
export async function createSession(
  tx: Tx,
  userId: number,
  origin: Origin,
  deviceName: string | null = null,
): Promise<string> {
  const { 'session.max_per_user': mostSessions } = await readSettings(tx)
  await endOldestSessions(tx.db, userId, mostSessions - 1)
  const token = `gs_${randomBytes(32).toString('base64url')}`
  const id = randomBytes(16).toString('base64url')
  const now = toTimestamp(tx.clock())
  const agent = describeAgent(origin.userAgent)
  await tx.db
    .insertInto('sessions')
    .values({
      id,
      user_id: userId,
      token_hash: hashSecret(token),
      ip_address: origin.ip,
      user_agent: origin.userAgent,
      ...agent,
      device: deviceName ?? agent.device,
      last_activity: now,
      created_at: now,
    })
    .execute()
  await noteSignIn(tx.db, userId, now)
  await rememberNetwork(tx, userId, origin.ip)
  await recordActivity(tx, userActor(userId, origin, id), 'user.signed_in', { type: 'user', id: userId })
  return token
}

/** A user's live sessions, newest activity first. */
export const findLiveSessions = async (from: Reads, userId: number): Promise<SessionRow[]> =>
  listAliveSessions(from.db, userId, await aliveSince(from))

/** The session's row if the session is alive. */
export const findLiveSession = async (from: Reads, id: string): Promise<SessionRow | undefined> =>
  findAliveSession(from.db, id, await aliveSince(from))

/** Ends every session of a user except `exceptId`, as part of a larger change. */
export async function endUserSessions(db: Db, userId: number, exceptId: string | null = null): Promise<void> {
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (exceptId === null ? sessions : sessions.where('id', '!=', exceptId)).execute()
}

/** Removes expired sessions. */
export async function removeOldSessions(ctx: Context): Promise<void> {
  const { usedSince, begunSince } = await aliveSince(ctx)
  await ctx.unguarded
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_activity', '<=', usedSince), eb('created_at', '<=', begunSince)]))
    .execute()
}

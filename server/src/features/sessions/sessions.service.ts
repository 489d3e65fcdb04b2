import { randomBytes } from 'node:crypto'
import Bowser from 'bowser'
import { type Actor, type Context, type Origin, userActor } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { holds, type PermissionSet } from '../../core/permissions.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Soon } from '../../core/soon.ts'
import { fromTimestamp, toTimestamp } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import { readSettings } from '../settings/settings.service.ts'
import { findAliveSession, listAliveSessions, selectSessionHolder, touchSession } from './sessions.queries.ts'
import type { Session } from './sessions.schemas.ts'
import type { SessionRow } from './sessions.table.ts'

const form = /^gs_[A-Za-z0-9_-]{43}$/

/** How far `last_activity` may lag behind: a write for each request costs more than a session that ends a little early. */
const maxLagMs = 60_000
const lagOf = (idleMs: number): number => Math.min(maxLagMs, idleMs / 20)

/** From when on a session must have been used and begun to be alive still, and been used for its use to need no note. */
async function aliveSince(ctx: Context) {
  const settings = await readSettings(ctx)
  const idleMs = settings['session.idle_minutes'] * 60_000
  const absoluteMs = settings['session.absolute_hours'] * 3_600_000
  const lagMs = lagOf(idleMs)
  const ago = (ms: number) => toTimestamp(new Date(ctx.clock().getTime() - ms))
  return { usedSince: ago(idleMs), begunSince: ago(absoluteMs), notedSince: ago(lagMs), absoluteMs, lagMs }
}

export interface SessionHolder {
  readonly userId: number
  readonly sessionId: string
  readonly permissions: PermissionSet
  /** Where it was last used before this moment, the use is to be noted. */
  readonly notedSince: string
  readonly lastActivity: string
  /** Until when this can be relied on while nothing else changes: then the session ends, or its next use is to be noted. */
  readonly untilMs: number
}

/** Who a login token stands for now; undefined when it is unknown or over, or its user is not Active. */
export function findSessionHolder(ctx: Context, token: string): Soon<SessionHolder | undefined> {
  if (!form.test(token)) return undefined
  const hash = hashSecret(token)
  return ctx.credentials(
    hash,
    () => readHolder(ctx, hash),
    ({ untilMs }) => ctx.clock().getTime() < untilMs,
  )
}

async function readHolder(ctx: Context, tokenHash: string): Promise<SessionHolder | undefined> {
  const rows = await selectSessionHolder(ctx.db, tokenHash)
  const [session] = rows
  if (session === undefined || session.status !== 'Active') return undefined
  const { usedSince, begunSince, notedSince, absoluteMs, lagMs } = await aliveSince(ctx)
  if (session.last_activity <= usedSince || session.created_at <= begunSince) return undefined
  const owned = new Set(rows.map((row) => row.permission).filter((name) => name !== null))
  return {
    userId: session.user_id,
    sessionId: session.id,
    permissions: session.role_id === adminRoleId ? 'all' : owned,
    notedSince,
    lastActivity: session.last_activity,
    untilMs: Math.min(fromTimestamp(session.last_activity) + lagMs, fromTimestamp(session.created_at) + absoluteMs),
  }
}

/** Notes that a session is in use, where the last note is too old, without keeping the request waiting. */
export function noteSessionUse(ctx: Context, { sessionId, notedSince, lastActivity }: SessionHolder): void {
  if (lastActivity >= notedSince) return
  // A note that cannot be written is not worth a failed request: the next use writes it.
  touchSession(ctx.db, sessionId, toTimestamp(ctx.clock()), notedSince).catch(() => {})
}

/** What a user agent says of itself, in words. */
function describeAgent(userAgent: string | null): Pick<SessionRow, 'browser' | 'platform' | 'device'> {
  if (userAgent === null || userAgent.trim() === '') return { browser: null, platform: null, device: null }
  const { browser, os, platform } = Bowser.parse(userAgent)
  const kind = platform.type ?? null
  // What is no browser names itself first (RFC 9110 §10.1.5): `curl/8.14.1`.
  const program = /^([\w.-]{1,50})\//.exec(userAgent)?.[1] ?? null
  return {
    browser: browser.name?.slice(0, 50) || program,
    platform: os.name || null,
    device: platform.model ?? (kind === null ? null : kind[0]?.toUpperCase() + kind.slice(1)),
  }
}

/** Begins a session; the token that it returns is the only place where it ever stands. */
export async function createSession(
  ctx: Context,
  db: Db,
  userId: number,
  origin: Origin,
  deviceName: string | null = null,
): Promise<string> {
  const token = `gs_${randomBytes(32).toString('base64url')}`
  const id = randomBytes(16).toString('base64url')
  const now = toTimestamp(ctx.clock())
  const agent = describeAgent(origin.userAgent)
  await db
    .insertInto('sessions')
    .values({
      ...{ id, user_id: userId, token_hash: hashSecret(token), ip_address: origin.ip, user_agent: origin.userAgent },
      ...{ ...agent, device: deviceName ?? agent.device, last_activity: now, created_at: now },
    })
    .execute()
  await db.updateTable('users').set({ last_login: now }).where('id', '=', userId).execute()
  await recordActivity(ctx, db, userActor(userId, origin, id), 'user.signed_in', { type: 'user', id: userId })
  return token
}

/** The session as answers show it. */
export function toSession(row: SessionRow): Session {
  const { id, user_id, ip_address, user_agent, browser, platform, device, last_activity } = row
  return {
    ...{ id, user_id, ip_address: ip_address ?? '', user_agent: user_agent ?? '' },
    ...{ browser: browser ?? 'Unknown', platform: platform ?? 'Unknown', device: device ?? 'Unknown', last_activity },
  }
}

/** A user's sessions that are alive, newest activity first. */
export async function listSessions(ctx: Context, userId: number): Promise<Session[]> {
  return (await listAliveSessions(ctx.db, userId, await aliveSince(ctx))).map(toSession)
}

/** A session that is one's own, or anybody's for who manages users; others' do not exist. */
export async function getSession(ctx: Context, actor: Actor, id: string): Promise<Session> {
  const row = await findAliveSession(ctx.db, id, await aliveSince(ctx))
  if (row === undefined || (row.user_id !== actor.userId && !holds(actor.permissions, 'users.manage')))
    throw errors.not_found()
  return toSession(row)
}

/** Ends one session. */
export async function endSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { user_id } = await getSession(ctx, actor, id)
  await ctx.transaction(async (db) => {
    const { numDeletedRows } = await db.deleteFrom('sessions').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) throw errors.not_found() // somebody else was faster
    await recordActivity(ctx, db, actor, 'session.ended', { type: 'user', id: user_id })
  })
}

/** Ends all sessions of a user. */
export async function endAllSessions(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.transaction(async (db) => {
    await endUserSessions(db, userId)
    await recordActivity(ctx, db, actor, 'user.sessions_ended', { type: 'user', id: userId })
  })
}

/** Ends every session of a user but `exceptId`, as part of a larger change. */
export async function endUserSessions(db: Db, userId: number, exceptId: string | null = null): Promise<void> {
  const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
  await (exceptId === null ? sessions : sessions.where('id', '!=', exceptId)).execute()
}

/** Removes the sessions that are over. */
export async function removeOldSessions(ctx: Context): Promise<void> {
  const { usedSince, begunSince } = await aliveSince(ctx)
  await ctx.db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('last_activity', '<=', usedSince), eb('created_at', '<=', begunSince)]))
    .execute()
}

import type { Actor, Context, Reads } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { holds, mayChangeOwnAccount } from '../../core/permissions.ts'
import { recordActivity } from '../activity/activity.service.ts'
import {
  endUserSessions,
  findLiveSession,
  findLiveSessions,
  leaveSession,
  removeSession,
} from '../credentials/live-sessions.service.ts'
import type { SessionRow } from '../credentials/sessions.table.ts'
import { assertMayManage, getLockedUser, getUser } from '../users/users.service.ts'
import type { Session } from './sessions.schemas.ts'

/** The session as answers show it to the actor. */
function toSession(row: SessionRow, actor: Pick<Actor, 'sessionId'>): Session {
  const { id, user_id, ip_address, user_agent, browser, platform, device, last_activity } = row
  return {
    id,
    user_id,
    ip_address: ip_address ?? '',
    user_agent: user_agent ?? '',
    browser: browser ?? 'Unknown',
    platform: platform ?? 'Unknown',
    device: device ?? 'Unknown',
    last_activity,
    ...(id === actor.sessionId ? { current: true } : {}),
  }
}

/** A user's live sessions, newest activity first. */
export const listSessions = async (ctx: Context, actor: Actor, userId: number): Promise<Session[]> =>
  (await findLiveSessions(ctx, userId)).map((row) => toSession(row, actor))

/** The sessions of a user, for actors who manage users. */
export async function listUserSessions(ctx: Context, actor: Actor, userId: number): Promise<Session[]> {
  await getUser(ctx.db, userId)
  return listSessions(ctx, actor, userId)
}

/** The actor's own session, or any session for actors who manage users. For everybody else it does not exist. */
async function getSessionRow(from: Reads, actor: Actor, id: string): Promise<SessionRow> {
  const row = await findLiveSession(from, id)
  if (row === undefined || (row.user_id !== actor.userId && !holds(actor.permissions, 'users.manage')))
    throw errors.not_found()
  return row
}

export const getSession = async (ctx: Context, actor: Actor, id: string): Promise<Session> =>
  toSession(await getSessionRow(ctx, actor, id), actor)

/** Ends all sessions of a user: the actor's own, or those of a user whom the actor may manage. */
export async function endAllSessions(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, userId)
    if (userId !== tx.actor.userId) await assertMayManage(tx.db, tx.actor, user)
    await endUserSessions(tx.db, userId)
    await recordActivity(tx, tx.actor, 'user.sessions_ended', { type: 'user', id: userId })
  })
}

/** Ends a session: the actor's own, or that of a user whom the actor may manage. */
export async function endSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  await ctx.transaction(actor, async (tx) => {
    const { user_id } = await getSessionRow(tx, tx.actor, id)
    if (user_id !== tx.actor.userId) await assertMayManage(tx.db, tx.actor, await getUser(tx.db, user_id))
    else if (tx.actor.apiKeyId !== null && !mayChangeOwnAccount(tx.actor.scope)) throw errors.forbidden()
    const isEnded = id === tx.actor.sessionId ? await leaveSession(tx.db, id) : await removeSession(tx.db, id)
    if (!isEnded) throw errors.not_found() // another request ended it first
    await recordActivity(tx, tx.actor, 'session.ended', { type: 'user', id: user_id })
  })
}

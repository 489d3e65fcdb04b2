import type { Actor, Context, Origin } from '../../core/context.ts'
import { userActor } from '../../core/context.ts'
import { assertMayManage, getUser } from '../users/users.service.ts'
import type { Session } from './sessions.schemas.ts'
import { endAllSessions, endSession, findSessionHolder, getSession, listSessions } from './sessions.service.ts'

/** The sessions of a user, for who manages users. */
export async function listUserSessions(ctx: Context, userId: number): Promise<Session[]> {
  await getUser(ctx.db, userId)
  return listSessions(ctx, userId)
}

/** Ends all sessions of a user whom one may manage. */
export async function endSessionsOf(ctx: Context, actor: Actor, userId: number): Promise<void> {
  await assertMayManage(ctx.db, actor, await getUser(ctx.db, userId))
  await endAllSessions(ctx, actor, userId)
}

/** Ends a session: one's own, or that of a user whom one may manage. */
export async function endReachableSession(ctx: Context, actor: Actor, id: string): Promise<void> {
  const { user_id } = await getSession(ctx, actor, id)
  if (user_id !== actor.userId) await assertMayManage(ctx.db, actor, await getUser(ctx.db, user_id))
  await endSession(ctx, actor, id)
}

/** Ends the session that a cookie held until a new one took its place: nobody could end it later (OWASP ASVS 7.2.4). */
export async function endReplacedSession(ctx: Context, origin: Origin, token: string): Promise<void> {
  const holder = await findSessionHolder(ctx, token)
  if (holder === undefined) return
  const { userId, sessionId } = holder
  await endSession(ctx, userActor(userId, origin, sessionId), sessionId)
}

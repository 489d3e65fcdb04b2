import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { type ServiceError, tooManyAttempts } from '../../core/errors.ts'
import { clockToleranceMs } from '../../core/time.ts'
import type { Db } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'

export interface AttemptLimit {
  /** How many attempts a window allows. */
  readonly tries: number
  readonly windowMs: number
}

/**
 * Counts an attempt and throws 429 beyond the limit. One statement, outside every other transaction: parallel attempts are
 * counted one by one on all nodes, and a rollback does not undo the count. Returns the number of the attempt in its window,
 * from 1.
 */
export async function countAttempt(ctx: Context, name: string, limit: AttemptLimit): Promise<number> {
  const { count, endsMs } = await countOne(ctx, name, limit)
  if (count > limit.tries) throw refuseUntil(ctx, endsMs, limit.tries)
  return count
}

/** The 429 of a limit whose window ends at the given time. */
export function refuseUntil({ clock }: Pick<Context, 'clock'>, endsMs: number, tries: number): ServiceError {
  return tooManyAttempts(Math.max(1, Math.ceil((endsMs - clock().getTime()) / 1000)), tries)
}

/** `countAttempt` without an error: returns whether the attempt is within the limit. */
export async function isWithinLimit(ctx: Context, name: string, limit: AttemptLimit): Promise<boolean> {
  return (await countOne(ctx, name, limit)).count <= limit.tries
}

/** `isWindowOver` for a row of `tries`, with room for the clocks of several nodes. */
export const isTriesWindowOver = (nowMs: number, windowMs: number): RawBuilder<SqlBool> =>
  sql<SqlBool>`(tries.expires_ms <= ${nowMs} or tries.expires_ms > ${nowMs + windowMs + clockToleranceMs})`

/** Counts an attempt and leaves the decision to the caller. */
export async function countOne(
  ctx: Context,
  name: string,
  limit: Pick<AttemptLimit, 'windowMs'>,
): Promise<{ count: number; endsMs: number }> {
  const now = ctx.clock().getTime()
  const endsMs = now + limit.windowMs
  const isOver = isTriesWindowOver(now, limit.windowMs)
  const { rows } = await sql<{ count: number; expires_ms: number }>`
    insert into tries (name, count, expires_ms) values (${name}, 1, ${endsMs})
    on conflict (name) do update set
      count = case when ${isOver} then 1 else tries.count + 1 end,
      expires_ms = case when ${isOver} then ${endsMs} else tries.expires_ms end
    returning count, expires_ms`.execute(ctx.unguarded)
  const [counted] = rows
  return { count: counted?.count ?? 0, endsMs: counted?.expires_ms ?? now }
}

/** Takes back one attempt that succeeded. */
export async function takeBackTry(db: Db, name: string): Promise<void> {
  await db
    .updateTable('tries')
    .set((eb) => ({ count: eb('count', '-', 1) }))
    .where('name', '=', name)
    .where('count', '>', 0)
    .execute()
}

/** Removes expired windows. */
export async function removeOldAttempts(ctx: Context): Promise<void> {
  const now = ctx.clock().getTime()
  await deleteInPieces(ctx.unguarded, 'tries', ['name'], (is) => is('expires_ms', '<=', now))
}

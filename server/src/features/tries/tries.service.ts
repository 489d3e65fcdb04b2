import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { errors, ServiceError } from '../../core/errors.ts'
import type { Db } from '../../db/database.ts'

export interface TryLimit {
  /** How many tries a window allows. */
  readonly tries: number
  readonly windowMs: number
}

/**
 * Counts a try and refuses it with 429 beyond the limit. One statement, outside of every other transaction: parallel tries
 * are counted one by one on all nodes, and a failure that rolls back is counted all the same.
 */
export async function countTry(ctx: Context, name: string, limit: TryLimit): Promise<void> {
  const { count, endsMs } = await countOne(ctx, name, limit)
  if (count <= limit.tries) return
  const retryAfterSeconds = Math.max(1, Math.ceil((endsMs - ctx.clock().getTime()) / 1000))
  throw new ServiceError('too_many_attempts', 429, errors.too_many_attempts().message, { retryAfterSeconds })
}

/** `countTry` for what is left out in silence: whether this try is within the limit. */
export async function isWithinLimit(ctx: Context, name: string, limit: TryLimit): Promise<boolean> {
  return (await countOne(ctx, name, limit)).count <= limit.tries
}

async function countOne(ctx: Context, name: string, limit: TryLimit): Promise<{ count: number; endsMs: number }> {
  const now = ctx.clock().getTime()
  const { rows } = await sql<{ count: number; expires_ms: number }>`
    insert into tries (name, count, expires_ms) values (${name}, 1, ${now + limit.windowMs})
    on conflict (name) do update set
      count = case when tries.expires_ms <= ${now} then 1 else tries.count + 1 end,
      expires_ms = case when tries.expires_ms <= ${now} then ${now + limit.windowMs} else tries.expires_ms end
    returning count, expires_ms`.execute(ctx.db)
  const [counted] = rows
  return { count: counted?.count ?? 0, endsMs: counted?.expires_ms ?? now }
}

/** Forgets the tries, after one that was right. */
export async function forgetTries(db: Db, name: string): Promise<void> {
  await db.deleteFrom('tries').where('name', '=', name).execute()
}

/** Removes the windows that are over. */
export async function removeOldTries(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('tries').where('expires_ms', '<=', ctx.clock().getTime()).execute()
}

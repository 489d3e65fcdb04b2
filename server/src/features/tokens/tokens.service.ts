import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Db } from '../../db/database.ts'
import type { TokenPurpose, TokenRow } from './tokens.table.ts'

/*
 * One-time tokens: 32 random bytes, kept as a SHA-256 only, bound to a purpose, a user and what they were sent to.
 * Short codes (SMS) go with such a token and die after five wrong tries, however parallel.
 */

const maxCodeTries = 5

export const hashToken = hashSecret

/** Six digits hold too little for a bare hash: the token's own hash goes into it. */
const hashCode = (tokenHash: string, code: string): string => hash('sha256', `${tokenHash} ${code}`, 'base64url')

export interface NewToken {
  readonly purpose: TokenPurpose
  readonly userId: number
  readonly livesMs: number
  /** What it is bound to. */
  readonly data?: Record<string, unknown>
}

/** Makes a token that voids the earlier ones of the same user and purpose. */
export async function createToken(ctx: Context, db: Db, wanted: NewToken): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertToken(ctx, db, wanted, hashToken(token), null)
  return token
}

/** Makes a token together with a code of six digits that is sent another way. */
export async function createTokenWithCode(
  ctx: Context,
  db: Db,
  wanted: NewToken,
): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await insertToken(ctx, db, wanted, hashToken(token), hashCode(hashToken(token), code))
  return { token, code }
}

async function insertToken(
  ctx: Context,
  db: Db,
  wanted: NewToken,
  token_hash: string,
  code_hash: string | null,
): Promise<void> {
  const { purpose, userId, livesMs, data } = wanted
  const now = ctx.clock().getTime()
  await voidTokens(db, userId, [purpose])
  await db
    .insertInto('tokens')
    .values({
      ...{
        token_hash,
        purpose,
        user_id: userId,
        code_hash,
        tries: 0,
        data: data === undefined ? null : JSON.stringify(data),
      },
      ...{ created_ms: now, expires_ms: now + livesMs },
    })
    .execute()
}

/** Ends the tokens of a user for these purposes. */
export async function voidTokens(db: Db, userId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await db.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

/** The token's row while it is good; it stays good. */
export const findToken = (ctx: Context, db: Db, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  db
    .selectFrom('tokens')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', ctx.clock().getTime())
    .executeTakeFirst()

/** Uses a token up: of many at once, one gets its row and the others nothing. */
export const takeToken = (ctx: Context, db: Db, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  db
    .deleteFrom('tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', ctx.clock().getTime())
    .returningAll()
    .executeTakeFirst()

/**
 * Tries a code against the token that `tokenHash` names. Every try is counted before it is looked at, in a statement of
 * its own, so `db` must not be a transaction that a wrong code rolls back. The right code uses the token up, once.
 */
export async function tryCode(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  code: string,
): Promise<TokenRow | undefined> {
  const counted = await ctx.db
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('tries', '<', maxCodeTries)
    .where('expires_ms', '>', ctx.clock().getTime())
    .returning('code_hash')
    .executeTakeFirst()
  if (counted?.code_hash == null) return undefined
  if (!timingSafeEqual(Buffer.from(counted.code_hash), Buffer.from(hashCode(tokenHash, code)))) return undefined
  return ctx.db.deleteFrom('tokens').where('token_hash', '=', tokenHash).returningAll().executeTakeFirst()
}

/** The pending token of a user for a purpose, where there is one that is still good. */
export const findUserToken = (
  ctx: Context,
  db: Db,
  userId: number,
  purpose: TokenPurpose,
): Promise<TokenRow | undefined> =>
  db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', ctx.clock().getTime())
    .executeTakeFirst()

/** Removes the tokens that nobody can use any more. */
export async function removeOldTokens(ctx: Context): Promise<void> {
  await ctx.db.deleteFrom('tokens').where('expires_ms', '<=', ctx.clock().getTime()).execute()
}

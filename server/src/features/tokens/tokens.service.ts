import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Context, Reads, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Db } from '../../db/database.ts'
import type { TokenPurpose, TokenRow } from './tokens.table.ts'

/*
 * One-time tokens: 32 random bytes, kept as a SHA-256 only, bound to a purpose, a user and what they were sent to.
 * Short codes (SMS) go with such a token and die after five wrong tries, however parallel.
 */

/** How often what goes with a token is looked at before the token is dead. */
export const maxTries = 5

export const hashToken = hashSecret

/** Six digits hold too little for a bare hash: the token's own hash goes into it. */
const hashCode = (tokenHash: string, code: string): string => hash('sha256', `${tokenHash} ${code}`, 'base64url')

export interface NewToken {
  readonly purpose: TokenPurpose
  readonly userId: number
  readonly livesMs: number
  /** What it is bound to. */
  readonly data?: Record<string, unknown>
  /** How many earlier ones of the same user and purpose live on beside it, the oldest first; none unless said otherwise. */
  readonly beside?: number
}

/** Makes a token that voids the earlier ones of the same user and purpose, but for as many as may live beside it. */
export async function createToken(tx: Tx, wanted: NewToken): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertToken(tx, wanted, hashToken(token), null)
  return token
}

/** Makes a token together with a code of six digits that is sent another way. */
export async function createTokenWithCode(tx: Tx, wanted: NewToken): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(1_000_000)).padStart(6, '0')
  await insertToken(tx, wanted, hashToken(token), hashCode(hashToken(token), code))
  return { token, code }
}

async function insertToken(tx: Tx, wanted: NewToken, token_hash: string, code_hash: string | null): Promise<void> {
  const { purpose, userId, livesMs, data, beside = 0 } = wanted
  const now = tx.clock().getTime()
  if (beside === 0) await voidTokens(tx.db, userId, [purpose])
  else await voidNewest(tx, userId, purpose, beside)
  await tx.db
    .insertInto('tokens')
    .values({
      token_hash,
      purpose,
      user_id: userId,
      code_hash,
      tries: 0,
      data: data === undefined ? null : JSON.stringify(data),
      created_ms: now,
      expires_ms: now + livesMs,
    })
    .execute()
}

/** Ends the tokens of a user for a purpose but the oldest live ones: whoever asks for more takes nothing from who asked first. */
async function voidNewest(tx: Tx, userId: number, purpose: TokenPurpose, kept: number): Promise<void> {
  await tx.db
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('token_hash', 'not in', (oldest) =>
      oldest
        .selectFrom('tokens')
        .select('token_hash')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('expires_ms', '>', tx.clock().getTime())
        .orderBy('created_ms')
        .orderBy('token_hash')
        .limit(kept),
    )
    .execute()
}

/** Ends the tokens of a user for these purposes. */
export async function voidTokens(db: Db, userId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await db.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

/** The token's row while it is good; it stays good. */
export const findToken = (from: Reads, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  from.db
    .selectFrom('tokens')
    .selectAll()
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', from.clock().getTime())
    .executeTakeFirst()

/** Uses a token up: of many at once, one gets its row and the others nothing. */
export const takeToken = (tx: Tx, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  tx.db
    .deleteFrom('tokens')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', tx.clock().getTime())
    .returningAll()
    .executeTakeFirst()

/** Counts a try of what goes with a token, in a statement of its own; false when there were too many. */
export async function countTokenTry(ctx: Context, token: string): Promise<boolean> {
  const counted = await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('tries', '<', maxTries)
    .executeTakeFirst()
  return counted.numUpdatedRows > 0n
}

/** Takes a counted try back that came to nothing. */
export async function giveBackTokenTry(ctx: Context, token: string): Promise<void> {
  await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('token_hash', '=', hashToken(token))
    .where('tries', '>', 0)
    .execute()
}

/**
 * Tries a code against the token that `tokenHash` names. Every try is counted before it is looked at, in a statement of
 * its own, which no transaction that fails takes back. `beforeLooking` may refuse to look at it, and `whenWrong` hears of each
 * code that was looked at and is wrong. The right code uses the token up, once.
 */
export async function tryCode(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  code: string,
  beforeLooking: (userId: number) => Promise<void>,
  whenWrong: (row: TokenRow) => Promise<void> = async () => {},
): Promise<TokenRow | undefined> {
  const counted = await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('tries', '<', maxTries)
    .where('expires_ms', '>', ctx.clock().getTime())
    .returningAll()
    .executeTakeFirst()
  if (counted?.code_hash == null) return undefined
  await beforeLooking(counted.user_id)
  if (!timingSafeEqual(Buffer.from(counted.code_hash), Buffer.from(hashCode(tokenHash, code)))) {
    await whenWrong(counted)
    return undefined
  }
  return ctx.unguarded.deleteFrom('tokens').where('token_hash', '=', tokenHash).returningAll().executeTakeFirst()
}

/** The pending token of a user for a purpose, where there is one that is still good. */
export const findUserToken = (from: Reads, userId: number, purpose: TokenPurpose): Promise<TokenRow | undefined> =>
  from.db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', from.clock().getTime())
    .executeTakeFirst()

/** Removes the tokens that nobody can use any more. */
export async function removeOldTokens(ctx: Context): Promise<void> {
  await ctx.unguarded.deleteFrom('tokens').where('expires_ms', '<=', ctx.clock().getTime()).execute()
}

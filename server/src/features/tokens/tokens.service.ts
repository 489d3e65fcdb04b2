import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { Context, Reads, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Db } from '../../db/database.ts'
import { among } from '../../db/rows.ts'
import type { TokenPurpose, TokenRow } from './tokens.table.ts'

/*
 * One-time tokens: 32 random bytes, stored only as a SHA-256, bound to a purpose, a user and the address they were sent to.
 * A short code (SMS) belongs to such a token and expires after five wrong attempts, also parallel ones.
 */

/** How many attempts a token allows. */
export const maxTries = 5

/** Six digits have too little entropy for a bare hash, so the hash of the token is included. */
const hashCode = (tokenHash: string, code: string): string => hash('sha256', `${tokenHash} ${code}`, 'base64url')

const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

export interface NewToken {
  readonly purpose: TokenPurpose
  readonly userId: number
  readonly livesMs: number
  /** What the token is bound to. */
  readonly data?: Record<string, unknown>
  /** How many earlier tokens with the same user, purpose and data stay valid, the oldest first; default: none of that purpose. */
  readonly beside?: number
}

/** Creates a token. Voids earlier ones of the same user and purpose, except as many as may stay valid. */
export async function createToken(tx: Tx, wanted: NewToken): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertToken(tx, wanted, hashSecret(token), null)
  return token
}

/** Creates a token together with a code of six digits that is sent another way. */
export async function createTokenWithCode(tx: Tx, wanted: NewToken): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString('base64url')
  const code = newCode()
  await insertToken(tx, wanted, hashSecret(token), hashCode(hashSecret(token), code))
  return { token, code }
}

async function insertToken(tx: Tx, wanted: NewToken, token_hash: string, code_hash: string | null): Promise<void> {
  const { purpose, userId, livesMs, beside = 0 } = wanted
  const data = wanted.data === undefined ? null : JSON.stringify(wanted.data)
  const now = tx.clock().getTime()
  if (beside === 0) await voidTokens(tx.db, userId, [purpose])
  else await voidNewest(tx, userId, purpose, data, beside)
  await tx.db
    .insertInto('tokens')
    .values({
      token_hash,
      purpose,
      user_id: userId,
      code_hash,
      tries: 0,
      data,
      created_ms: now,
      expires_ms: now + livesMs,
    })
    .execute()
}

/**
 * Voids a user's tokens for a purpose that are bound to the same, except the oldest valid ones, so that new requests take nothing
 * from earlier ones.
 */
async function voidNewest(
  tx: Tx,
  userId: number,
  purpose: TokenPurpose,
  data: string | null,
  kept: number,
): Promise<void> {
  await tx.db
    .deleteFrom('tokens')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('data', 'is not distinct from', data)
    .where('token_hash', 'not in', (oldest) =>
      oldest
        .selectFrom('tokens')
        .select('token_hash')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .where('data', 'is not distinct from', data)
        .where('expires_ms', '>', tx.clock().getTime())
        .orderBy('created_ms')
        .orderBy('token_hash')
        .limit(kept),
    )
    .execute()
}

/** Voids a user's tokens for these purposes. */
export async function voidTokens(db: Db, userId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await db.deleteFrom('tokens').where('user_id', '=', userId).where('purpose', 'in', purposes).execute()
}

/** Voids the tokens of many users for these purposes. */
export async function voidTokensOf(
  db: Db,
  userIds: readonly number[],
  purposes: readonly TokenPurpose[],
): Promise<void> {
  const ofUsers = db.deleteFrom('tokens').where('user_id', 'in', among(db, 'integer', userIds))
  await ofUsers.where('purpose', 'in', purposes).execute()
}

/** The token's row if it is valid. The token stays valid. */
export const findToken = (from: Reads, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  from.db
    .selectFrom('tokens')
    .selectAll()
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', from.clock().getTime())
    .executeTakeFirst()

/** Uses up a token. Of parallel calls, only one gets its row. */
export const takeToken = (tx: Tx, purpose: TokenPurpose, token: string): Promise<TokenRow | undefined> =>
  tx.db
    .deleteFrom('tokens')
    .where('token_hash', '=', hashSecret(token))
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', tx.clock().getTime())
    .returningAll()
    .executeTakeFirst()

/** Counts an attempt on a token in its own statement; false if there were too many. */
export async function countTokenTry(ctx: Context, token: string): Promise<boolean> {
  const counted = await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('token_hash', '=', hashSecret(token))
    .where('tries', '<', maxTries)
    .executeTakeFirst()
  return counted.numUpdatedRows > 0n
}

/** Takes back a counted attempt that did not compare anything. */
export async function giveBackTokenTry(ctx: Context, token: string): Promise<void> {
  await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('token_hash', '=', hashSecret(token))
    .where('tries', '>', 0)
    .execute()
}

/** True if the code is the one that belongs to the token. */
export const isCodeOf = ({ code_hash, token_hash }: TokenRow, code: string): boolean =>
  code_hash !== null && timingSafeEqual(Buffer.from(code_hash), Buffer.from(hashCode(token_hash, code)))

/** How an attempt on a token is made. */
export interface TokenTry {
  /** May refuse the check, for instance because the account had too many. */
  readonly beforeLooking: (row: TokenRow) => Promise<void>
  /** Looks at what was sent. */
  readonly isRight: (row: TokenRow) => boolean | Promise<boolean>
  /** Called for each wrong attempt. */
  readonly whenWrong?: ((row: TokenRow) => Promise<void>) | undefined
}

/**
 * Makes an attempt on the token that `tokenHash` names. It is counted first, in its own statement, which no rollback takes
 * back. A right one uses the token up; of parallel ones, only one gets its row.
 */
export async function tryToken(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  { beforeLooking, isRight, whenWrong }: TokenTry,
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
  if (counted === undefined) return undefined
  await beforeLooking(counted)
  if (!(await isRight(counted))) {
    await whenWrong?.(counted)
    return undefined
  }
  return ctx.unguarded.deleteFrom('tokens').where('token_hash', '=', tokenHash).returningAll().executeTakeFirst()
}

/** Gives a valid token a new code, which replaces the one before. Its attempts stay counted. Undefined if it is not valid. */
export async function renewCode(tx: Tx, purpose: TokenPurpose, token: string): Promise<string | undefined> {
  const code = newCode()
  const tokenHash = hashSecret(token)
  const { numUpdatedRows } = await tx.db
    .updateTable('tokens')
    .set({ code_hash: hashCode(tokenHash, code) })
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('tries', '<', maxTries)
    .where('expires_ms', '>', tx.clock().getTime())
    .executeTakeFirst()
  return numUpdatedRows > 0n ? code : undefined
}

/** A user's pending token for a purpose, if it is still valid. */
export const findUserToken = (from: Reads, userId: number, purpose: TokenPurpose): Promise<TokenRow | undefined> =>
  from.db
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('expires_ms', '>', from.clock().getTime())
    .executeTakeFirst()

/** Removes expired tokens. */
export async function removeOldTokens(ctx: Context): Promise<void> {
  await ctx.unguarded.deleteFrom('tokens').where('expires_ms', '<=', ctx.clock().getTime()).execute()
}

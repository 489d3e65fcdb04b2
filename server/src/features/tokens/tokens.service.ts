import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { Context, Reads, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { Db } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { plannedEachTime } from '../../db/dialect.ts'
import { among, rowsOf } from '../../db/rows.ts'
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

interface TokenKind {
  readonly purpose: TokenPurpose
  readonly livesMs: number
  /** How many earlier tokens with the same user, purpose and data stay valid, the oldest first; default: none of that purpose. */
  readonly beside?: number
}

interface TokenOwner {
  readonly userId: number
  /** What the token is bound to. */
  readonly data?: Record<string, unknown>
}

export interface NewToken extends TokenKind, TokenOwner {}

/** Creates a token. Voids earlier ones of the same user and purpose, except as many as may stay valid. */
export async function createToken(tx: Tx, wanted: NewToken): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await insertTokens(tx, wanted, [toRow(wanted, hashSecret(token), null)])
  return token
}

/** Creates a token for each of many users, in their order, as `createToken` does for one. */
export async function createTokens(tx: Tx, kind: TokenKind, owners: readonly TokenOwner[]): Promise<string[]> {
  const tokens = owners.map(() => randomBytes(32).toString('base64url'))
  const rows = owners.map((owner, at) => toRow(owner, hashSecret(tokens[at] as string), null))
  await insertTokens(tx, kind, rows)
  return tokens
}

/** Creates a token together with a code of six digits that is sent another way. */
export async function createTokenWithCode(tx: Tx, wanted: NewToken): Promise<{ token: string; code: string }> {
  const token = randomBytes(32).toString('base64url')
  const code = newCode()
  await insertTokens(tx, wanted, [toRow(wanted, hashSecret(token), hashCode(hashSecret(token), code))])
  return { token, code }
}

const toRow = ({ userId, data }: TokenOwner, token_hash: string, code_hash: string | null) => ({
  user_id: userId,
  token_hash,
  code_hash,
  data: data === undefined ? null : JSON.stringify(data),
})

/** Each row is of another user. */
async function insertTokens(
  tx: Tx,
  { purpose, livesMs, beside = 0 }: TokenKind,
  rows: readonly ReturnType<typeof toRow>[],
): Promise<void> {
  const now = tx.clock().getTime()
  if (beside > 0) await voidNewest(tx, purpose, rows, beside)
  else for (const { user_id } of rows) await voidTokens(tx.db, user_id, [purpose])
  const times = { created_ms: now, expires_ms: now + livesMs }
  await tx.db
    .insertInto('tokens')
    .values(rows.map((row) => ({ ...row, purpose, tries: 0, ...times })))
    .execute()
}

/**
 * Voids the tokens of users for a purpose that are bound to the same, except the oldest valid ones of each, so that new requests
 * take nothing from earlier ones.
 */
async function voidNewest(
  { db, clock }: Tx,
  purpose: TokenPurpose,
  rows: readonly Pick<TokenRow, 'user_id' | 'data'>[],
  kept: number,
): Promise<void> {
  const owners = rows.map(({ user_id, data }) => ({ user_id, data }))
  const given = rowsOf(db, { user_id: 'integer', data: 'text' }, owners)
  const isOver = sql`tokens.expires_ms <= ${clock().getTime()}`
  await sql`
    delete from tokens where token_hash in (
      select token_hash from (
        select tokens.token_hash, ${isOver} as is_over, row_number() over (
          partition by tokens.user_id order by ${isOver}, tokens.created_ms, tokens.token_hash
        ) as place
        from ${given} join tokens on tokens.user_id = given.user_id
        where tokens.purpose = ${purpose} and tokens.data is not distinct from given.data
      ) as ranked
      where is_over or place > ${kept}
    ) ${plannedEachTime}`.execute(db)
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
  const ofUsers = db.deleteFrom('tokens').where('user_id', 'in', among(db, userIds))
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
export async function giveBackTokenTry(ctx: Context, tokenHash: string): Promise<void> {
  await ctx.unguarded
    .updateTable('tokens')
    .set((eb) => ({ tries: eb('tries', '-', 1) }))
    .where('token_hash', '=', tokenHash)
    .where('tries', '>', 0)
    .execute()
}

/** True if the code is the one that belongs to the token. */
export const isCodeOf = ({ code_hash, token_hash }: TokenRow, code: string): boolean =>
  code_hash !== null && timingSafeEqual(Buffer.from(code_hash), Buffer.from(hashCode(token_hash, code)))

/** Uses up what was sent, in the transaction that uses up the token; false if another attempt has by now. */
export type Spend = (db: Db) => Promise<boolean>

/** Uses up a token and what was sent for it. Throws if another attempt has by now, so that its transaction is rolled back. */
export type UseUp = (tx: Tx) => Promise<void>

/** How an attempt on a token is made. */
export interface TokenTry<T> {
  /** May refuse the check, for instance because the account had too many. */
  readonly beforeLooking: (row: TokenRow) => Promise<void>
  /** Looks at what was sent. Where that is good only once, it answers how to use it up. */
  readonly isRight: (row: TokenRow) => boolean | Spend | Promise<boolean | Spend>
  /** Does what a right attempt is for, and calls `useUp` in its transaction: both, or neither. */
  readonly whenRight: (row: TokenRow, useUp: UseUp) => Promise<T>
  /** Called for each wrong attempt. */
  readonly whenWrong?: ((row: TokenRow) => Promise<void>) | undefined
}

class TokenGone extends Error {}
class WrongAnswer extends Error {}

const toUseUp =
  (tokenHash: string, right: true | Spend): UseUp =>
  async ({ db }) => {
    const { numDeletedRows } = await db.deleteFrom('tokens').where('token_hash', '=', tokenHash).executeTakeFirst()
    if (numDeletedRows === 0n) throw new TokenGone()
    if (right !== true && !(await right(db))) throw new WrongAnswer()
  }

/**
 * Makes an attempt on the token that `tokenHash` names. It is counted first, in its own statement, which no rollback takes
 * back. A right one uses the token up; of parallel ones, only one does, and only its code is used up. Undefined if it is wrong.
 */
export async function tryToken<T>(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  { beforeLooking, isRight, whenRight, whenWrong }: TokenTry<T>,
): Promise<T | undefined> {
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
  await beforeLooking(counted).catch(async (refusal: unknown) => {
    await giveBackTokenTry(ctx, tokenHash)
    throw refusal
  })
  const right = await isRight(counted)
  try {
    if (right === false) throw new WrongAnswer()
    return await whenRight(counted, toUseUp(tokenHash, right))
  } catch (error) {
    if (error instanceof WrongAnswer) await whenWrong?.(counted)
    else if (!(error instanceof TokenGone)) throw error
    return undefined
  }
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
  const now = ctx.clock().getTime()
  await deleteInPieces(ctx.unguarded, 'tokens', ['token_hash'], (eb) => eb('expires_ms', '<=', now))
}

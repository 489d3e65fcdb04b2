import { type Context, systemActor } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { nameOf } from '../../mails/name-of.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { countOne, refuseUntil, takeBackTry } from '../../security/attempts/attempts.service.ts'
import { findUser } from '../accounts/users.queries.ts'
import { isCodeOf, type TokenTry, tryToken } from '../tokens/tokens.service.ts'
import type { TokenPurpose, TokenRow } from '../tokens/tokens.table.ts'

/** Limits guessing over all codes and methods of an account: a code has a million values, and this many wrong ones are allowed in an hour. */
const limit = { tries: 20, windowMs: 3_600_000 }

const counterOf = (userId: number): string => `codes ${userId}`

/**
 * Counts a code attempt of an account, and throws 429 after 20 wrong ones in an hour. The first refusal notifies the owner,
 * because whoever types codes at sign-in knows the password.
 */
async function countCode(ctx: Context, userId: number): Promise<void> {
  const { count, endsMs } = await countOne(ctx, counterOf(userId), limit)
  if (count <= limit.tries) return
  if (count === limit.tries + 1) await tellOwner(ctx, userId, endsMs)
  throw refuseUntil(ctx, endsMs, limit.tries)
}

/** `tryToken` within the limit of the account. A right attempt is not counted. */
export async function tryAccountToken(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  attempt: Omit<TokenTry, 'beforeLooking'>,
): Promise<TokenRow | undefined> {
  const beforeLooking = (row: TokenRow) => countCode(ctx, row.user_id)
  const row = await tryToken(ctx, purpose, tokenHash, { beforeLooking, ...attempt })
  if (row !== undefined) await takeBackTry(ctx.unguarded, counterOf(row.user_id))
  return row
}

/** The same with the code that belongs to the token. */
export const tryAccountCode = (
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  code: string,
  whenWrong?: (row: TokenRow) => Promise<void>,
): Promise<TokenRow | undefined> =>
  tryAccountToken(ctx, purpose, tokenHash, { isRight: (row) => isCodeOf(row, code), whenWrong })

/** An attempt of an account that no token counts, within the same limit. */
export async function tryAccountProof(
  ctx: Context,
  userId: number,
  isRight: () => boolean | Promise<boolean>,
): Promise<boolean> {
  await countCode(ctx, userId)
  const is = await isRight()
  if (is) await takeBackTry(ctx.unguarded, counterOf(userId))
  return is
}

async function tellOwner(ctx: Context, userId: number, endsMs: number): Promise<void> {
  await ctx.transaction(systemActor, async (tx) => {
    const user = await findUser(tx.db, userId)
    if (user === undefined) return
    const data = { name: nameOf(user), at: toTimestamp(tx.clock()), until: toTimestamp(new Date(endsMs)) }
    await sendMail(tx, { template: 'too-many-codes', to: user.email, userId, data })
  })
}

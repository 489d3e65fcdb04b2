import { type Context, systemActor } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { sendMail } from '../../delivery/mail.ts'
import { nameOf } from '../../delivery/name-of.ts'
import { countOne, refuseUntil, takeBackTry } from '../../security/attempts/attempts.service.ts'
import { tryCode } from '../tokens/tokens.service.ts'
import type { TokenPurpose, TokenRow } from '../tokens/tokens.table.ts'
import { findUserRow } from '../users/users.service.ts'

/** Limits guessing over all codes that are sent: a code has a million values, and this many wrong ones are allowed in an hour. */
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
  throw refuseUntil(ctx, endsMs)
}

/** `tryCode` within the limit of the account. A right code is not counted. */
export async function tryAccountCode(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  code: string,
  whenWrong?: (row: TokenRow) => Promise<void>,
): Promise<TokenRow | undefined> {
  const row = await tryCode(ctx, purpose, tokenHash, code, (userId) => countCode(ctx, userId), whenWrong)
  if (row !== undefined) await takeBackTry(ctx.unguarded, counterOf(row.user_id))
  return row
}

async function tellOwner(ctx: Context, userId: number, endsMs: number): Promise<void> {
  await ctx.transaction(systemActor, async (tx) => {
    const user = await findUserRow(tx.db, userId)
    if (user === undefined) return
    const data = { name: nameOf(user), at: toTimestamp(tx.clock()), until: toTimestamp(new Date(endsMs)) }
    await sendMail(tx, { template: 'too-many-codes', to: user.email, userId, data })
  })
}

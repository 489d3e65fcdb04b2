import { type Context, systemActor } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'
import { nameOf } from '../../mails/name-of.ts'
import { sendMail } from '../../mails/send-mail.ts'
import { countOne, refuseUntil, takeBackTry } from '../../security/attempts/attempts.service.ts'
import { findUser } from '../accounts/users.queries.ts'
import { isCodeOf, type Spend, type TokenTry, tryToken } from '../tokens/tokens.service.ts'
import type { TokenPurpose } from '../tokens/tokens.table.ts'

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

type AccountTry<T> = Omit<TokenTry<T>, 'beforeLooking'>

/** `tryToken` within the limit of the account. A right attempt is not counted. */
export const tryAccountToken = <T>(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  { whenRight, ...attempt }: AccountTry<T>,
): Promise<T | undefined> =>
  tryToken(ctx, purpose, tokenHash, {
    ...attempt,
    beforeLooking: ({ user_id }) => countCode(ctx, user_id),
    whenRight: (row, useUp) =>
      whenRight(row, async (tx) => {
        await useUp(tx)
        await takeBackTry(tx.db, counterOf(row.user_id))
      }),
  })

/** The same with the code that belongs to the token. */
export const tryAccountCode = <T>(
  ctx: Context,
  purpose: TokenPurpose,
  tokenHash: string,
  code: string,
  attempt: Omit<AccountTry<T>, 'isRight'>,
): Promise<T | undefined> =>
  tryAccountToken(ctx, purpose, tokenHash, { ...attempt, isRight: (row) => isCodeOf(row, code) })

/** An attempt of an account that no token counts, within the same limit: what `check` finds if it is right. */
export async function tryAccountProof(
  ctx: Context,
  userId: number,
  check: () => Spend | undefined,
): Promise<Spend | undefined> {
  await countCode(ctx, userId)
  const spend = check()
  if (spend !== undefined) await takeBackTry(ctx.unguarded, counterOf(userId))
  return spend
}

async function tellOwner(ctx: Context, userId: number, endsMs: number): Promise<void> {
  await ctx.transaction(systemActor, async (tx) => {
    const user = await findUser(tx.db, userId)
    if (user === undefined) return
    const data = { name: nameOf(user), at: toTimestamp(tx.clock()), until: toTimestamp(new Date(endsMs)) }
    await sendMail(tx, { template: 'too-many-codes', to: user.email, userId, data })
  })
}

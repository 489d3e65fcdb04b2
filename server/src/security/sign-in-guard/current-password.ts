import type { Actor, Context } from '../../core/context.ts'
import type { Draft, DraftFields } from '../../core/draft.ts'
import { errors } from '../../core/errors.ts'
import { assertFreshProof } from '../../core/fresh-proof.ts'
import { noteProof, wrongCurrentPassword } from '../../core/proved-password.ts'
import type { UserRow } from '../../features/accounts/users.table.ts'
import { hasPassword } from '../../features/passwords/no-password.ts'
import { toAttempt } from './budgets.ts'
import { failProof, forgiveCurrentPassword, tryCurrentPassword } from './guard.ts'

/**
 * Rejects the draft unless `current_password` is the user's. It is counted, so that a stolen session cannot try many. The
 * transactions of this request check again that it still is.
 */
async function checkCurrentPassword(
  ctx: Context,
  actor: Actor,
  user: UserRow,
  draft: DraftFields<{ current_password?: string }>,
): Promise<void> {
  const { current_password } = draft.given
  if (!hasPassword(user)) {
    assertOwnSession(ctx, actor)
    return noteProof(actor, user.password_hash)
  }
  if (current_password === undefined) return
  const attempt = await toAttempt(ctx.db, actor.origin, user.id, '')
  const trial = await tryCurrentPassword(ctx, attempt, user.password_hash, current_password)
  if (trial.isRight) {
    noteProof(actor, user.password_hash)
    return forgiveCurrentPassword(ctx.unguarded, trial)
  }
  await failProof(ctx, trial, user, 'password', actor, 'current_password')
  draft.reject('current_password', wrongCurrentPassword())
}

/** Without a password, the fresh proof of a session stands in for it. */
function assertOwnSession(ctx: Context, actor: Actor): void {
  if (actor.sessionId === null) throw errors.forbidden('Only a session of this account can do this.')
  assertFreshProof(ctx.clock, actor)
}

/**
 * Lets the caller change how they sign in: with the current password, or for a user without one with a fresh proof of their
 * session. Throws what is wrong with the whole body.
 */
export async function proveOwnAccount(
  ctx: Context,
  actor: Actor,
  user: UserRow,
  draft: Draft<{ current_password?: string }>,
): Promise<void> {
  await requireCurrentPassword(ctx, actor, user, draft)
  draft.accept()
}

/** The same for a draft whose rules go on: `current_password` must be sent, unless the account has no password. */
export async function requireCurrentPassword(
  ctx: Context,
  actor: Actor,
  user: UserRow,
  draft: DraftFields<{ current_password?: string }>,
): Promise<void> {
  if (draft.given.current_password !== undefined || !hasPassword(user))
    return checkCurrentPassword(ctx, actor, user, draft)
  if (!draft.isRejected('current_password')) missingCurrentPassword(draft)
}

export const missingCurrentPassword = (draft: DraftFields<{ current_password?: string }>): void =>
  draft.reject('current_password', 'The current password field is required.')

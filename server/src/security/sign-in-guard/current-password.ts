import type { Actor, Context } from '../../core/context.ts'
import type { DraftFields } from '../../core/draft.ts'
import { defineErrors } from '../../core/errors.ts'
import type { UserRow } from '../../features/accounts/users.table.ts'
import { toAttempt } from './budgets.ts'
import { fail, forgiveCurrentPassword, tryCurrentPassword } from './guard.ts'

const currentPasswordErrors = defineErrors({
  current_password_wrong: [422, 'The current password is not right.'],
})

/** Rejects the draft unless `current_password` is the user's. It is counted, so that a stolen session cannot try many. */
export async function checkCurrentPassword(
  ctx: Context,
  actor: Actor,
  user: UserRow,
  draft: DraftFields<{ current_password?: string }>,
): Promise<void> {
  const { current_password } = draft.given
  if (current_password === undefined) return
  const attempt = await toAttempt(ctx.db, actor.origin, user.id, '')
  const trial = await tryCurrentPassword(ctx, attempt, user.password_hash, current_password)
  if (trial.isRight) return forgiveCurrentPassword(ctx.unguarded, trial)
  await fail(ctx, trial, 'password', actor, { field: 'current_password' })
  draft.reject('current_password', currentPasswordErrors.current_password_wrong())
}

/** The same if the schema does not require it: `current_password` must be sent. */
export async function requireCurrentPassword(
  ctx: Context,
  actor: Actor,
  user: UserRow,
  draft: DraftFields<{ current_password?: string }>,
): Promise<void> {
  if (draft.given.current_password !== undefined) return checkCurrentPassword(ctx, actor, user, draft)
  if (draft.isRejected('current_password')) return
  draft.reject('current_password', 'The current password field is required.')
}

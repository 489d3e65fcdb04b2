import type { Actor, Context } from '../../core/context.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { fail } from '../../security/sign-in-guard/guard.ts'

/** Records a wrong code of a new factor in the activity of the account. It has its own attempts and is no sign-in. */
export async function noteWrongCode(ctx: Context, actor: Actor, id: number): Promise<void> {
  const attempt = await toAttempt(ctx.db, actor.origin, id, '')
  await fail(ctx, { attempt, places: [] }, 'two_factor', actor, { field: 'token' })
}

import type { Actor, Context } from '../../core/context.ts'
import { toAttempt } from '../../security/sign-in-guard/budgets.ts'
import { fail } from '../../security/sign-in-guard/guard.ts'

/**
 * Records a wrong proof of a signed-in user in the activity of the account. It has its own attempts and uses up nothing that
 * sign-in needs.
 */
export async function noteWrongProof(ctx: Context, actor: Actor, id: number, field = 'token'): Promise<void> {
  const attempt = await toAttempt(ctx.db, actor.origin, id, '')
  await fail(ctx, { attempt, places: [] }, 'two_factor', actor, { field })
}

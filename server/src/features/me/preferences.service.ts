import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { ownId } from '../../core/own-id.ts'
import { toTimestamp } from '../../core/time.ts'
import type { Preferences } from './preferences.schemas.ts'

/** The user's page preferences; an empty object at first. */
export async function readPreferences({ db }: Pick<Context, 'db'>, actor: Actor): Promise<Preferences> {
  const row = await db
    .selectFrom('user_preferences')
    .select('value')
    .where('user_id', '=', ownId(actor))
    .executeTakeFirst()
  return row === undefined ? {} : JSON.parse(row.value)
}

/** Replaces all preferences. */
export async function writePreferences(ctx: Context, actor: Actor, draft: Draft<Preferences>): Promise<Preferences> {
  const preferences = draft.accept()
  const value = JSON.stringify(preferences)
  await ctx.transaction(actor, async (tx) => {
    const updated_at = toTimestamp(tx.clock())
    await tx.db
      .insertInto('user_preferences')
      .values({ user_id: ownId(tx.actor), value, updated_at })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ value, updated_at }))
      .execute()
  })
  return preferences
}

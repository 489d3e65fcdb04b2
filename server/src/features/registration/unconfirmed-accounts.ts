import { type Context, systemActor, type Tx } from '../../core/context.ts'
import { daysAgo } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { lockUser, removeUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { giveUpAvatar } from '../avatar-files/stored-avatars.ts'
import { readSettings } from '../settings/settings.service.ts'

/** In one transaction, which other writes wait for. */
const batch = 10

/** Deletes the account of a locked user whose address was never proved. */
export async function removeUnproved(tx: Tx, user: UserRow): Promise<void> {
  await removeUser(tx.db, user)
  await giveUpAvatar(tx, user.avatar)
  await recordActivity(tx, tx.actor, 'user.deleted', { type: 'user', id: user.id })
}

/** Accounts that have waited since this time or longer for somebody to confirm them, the oldest first. */
export const waitingAccounts = (db: ReadDb, since: string) =>
  db
    .selectFrom('users')
    .select('id')
    .where('status', '=', 'Unconfirmed')
    .where('unconfirmed_since', '<=', since)
    .orderBy('unconfirmed_since')
    .limit(batch)

/** Deletes accounts that nobody confirmed in time, so that a name or an address is not taken for ever. */
export async function removeUnconfirmed(ctx: Context): Promise<void> {
  const { 'registration.unconfirmed_days': days } = await readSettings(ctx)
  if (days === 0) return
  const limit = daysAgo(ctx.clock, days)
  for (;;) {
    const removed = await ctx.transaction(systemActor, async (tx) => {
      const rows = await waitingAccounts(tx.db, limit).execute()
      for (const { id } of rows) {
        const user = await lockUser(tx.db, id)
        // Deleted by another node, confirmed or invited, at this moment.
        if (user?.status !== 'Unconfirmed' || user.unconfirmed_since === null || user.unconfirmed_since > limit)
          continue
        await removeUnproved(tx, user)
      }
      return rows.length
    })
    if (removed < batch) return
  }
}

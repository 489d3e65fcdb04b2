import { networkOf } from '../../core/addresses.ts'
import type { Context, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'

/** How many pairs of network and browser are stored for each user; the most recently used ones are kept. */
const maxClients = 100
/** After this time without use, a pair counts as unknown. */
const keptMs = 365 * 86_400_000

/** What a user signs in with. A browser's version does not count: it changes every month. */
export interface Client {
  readonly ip: string | null
  readonly browser: string | null
  readonly platform: string | null
}

/**
 * Remembers the network and browser of a sign-in, in its transaction. Returns true if the account never had the pair, though
 * it has signed in before: the owner should hear of it.
 */
export async function isStrangeClient(tx: Tx, userId: number, client: Client): Promise<boolean> {
  const now = tx.clock().getTime()
  const { ip, browser, platform } = client
  const client_hash = hashSecret(`${userId} ${networkOf(ip ?? '')} ${browser} ${platform}`)
  const { numInsertedOrUpdatedRows: added = 0n } = await tx.db
    .insertInto('sign_in_clients')
    .values({ user_id: userId, client_hash, last_used_ms: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_hash']).doNothing())
    .executeTakeFirstOrThrow()
  if (added === 0n) {
    const row = tx.db
      .updateTable('sign_in_clients')
      .where('user_id', '=', userId)
      .where('client_hash', '=', client_hash)
    await row.set({ last_used_ms: now }).execute()
    return false
  }
  const others = await tx.db
    .selectFrom('sign_in_clients')
    .select('client_hash')
    .where('user_id', '=', userId)
    .where('client_hash', '!=', client_hash)
    .orderBy('last_used_ms', 'desc')
    .orderBy('client_hash')
    .execute()
  const surplus = others.slice(maxClients - 1).map((row) => row.client_hash)
  if (surplus.length > 0) {
    const rows = tx.db.deleteFrom('sign_in_clients').where('user_id', '=', userId)
    await rows.where('client_hash', 'in', surplus).execute()
  }
  return others.length > 0
}

/** Removes the pairs that were not used for a year. */
export async function removeOldClients(ctx: Context): Promise<void> {
  const before = ctx.clock().getTime() - keptMs
  await ctx.unguarded.deleteFrom('sign_in_clients').where('last_used_ms', '<=', before).execute()
}

import type { Context, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { ReadDb } from '../../db/database.ts'
import { prepare } from '../../db/prepare.ts'
import { executeBehind } from '../../db/write-behind.ts'

/** How many networks are stored for each user; the most recently used ones are kept. */
const maxNetworks = 50
/** After this time without use, a network counts as unknown. */
const keptMs = 365 * 86_400_000

export const networkHashOf = (userId: number, network: string): string => hashSecret(`${userId} ${network}`)

const selectNetwork = prepare((db, userId: number, hash: string) =>
  db.selectFrom('sign_in_networks').select('user_id').where('user_id', '=', userId).where('network_hash', '=', hash),
)

/** True if a user has signed in from a network before. For an unknown user it takes as long, and returns false. */
export const isFamiliarNetwork = async (db: ReadDb, userId: number, network: string): Promise<boolean> =>
  (await selectNetwork(db, userId, networkHashOf(userId, network))).length > 0

/** Remembers that a user signed in from a network, in the transaction that starts their session. */
export async function rememberNetwork(tx: Tx, userId: number, network: string, isKnown: boolean): Promise<void> {
  const now = tx.clock().getTime()
  const remembered = tx.db
    .insertInto('sign_in_networks')
    .values({ user_id: userId, network_hash: networkHashOf(userId, network), last_used_ms: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'network_hash']).doUpdateSet({ last_used_ms: now }))
  await executeBehind(tx.db, remembered)
  if (isKnown) return
  const surplus = await tx.db
    .selectFrom('sign_in_networks')
    .select('network_hash')
    .where('user_id', '=', userId)
    .orderBy('last_used_ms', 'desc')
    .orderBy('network_hash')
    .limit(maxNetworks)
    .offset(maxNetworks)
    .execute()
  if (surplus.length === 0) return
  const hashes = surplus.map(({ network_hash }) => network_hash)
  await tx.db.deleteFrom('sign_in_networks').where('user_id', '=', userId).where('network_hash', 'in', hashes).execute()
}

/** Removes the networks that were not used for a year. */
export async function removeOldNetworks(ctx: Context): Promise<void> {
  const before = ctx.clock().getTime() - keptMs
  await ctx.unguarded.deleteFrom('sign_in_networks').where('last_used_ms', '<=', before).execute()
}

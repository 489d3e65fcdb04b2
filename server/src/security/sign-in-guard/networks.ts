import type { Context, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { dayMs } from '../../core/time.ts'
import type { ReadDb } from '../../db/database.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { prepare, prepareWrite } from '../../db/prepare.ts'

/** How many networks are stored for each user; the most recently used ones are kept. */
const maxNetworks = 50
/** After this time without use, a network counts as unknown. */
const keptMs = 365 * dayMs

export const networkHashOf = (userId: number, network: string): string => hashSecret(`${userId} ${network}`)

const selectNetwork = prepare((db, userId: number, hash: string) =>
  db.selectFrom('sign_in_networks').select('user_id').where('user_id', '=', userId).where('network_hash', '=', hash),
)

/** True if a user has signed in from a network before. For an unknown user it takes as long, and returns false. */
export const isFamiliarNetwork = async (db: ReadDb, userId: number, network: string): Promise<boolean> =>
  (await selectNetwork(db, userId, networkHashOf(userId, network))).length > 0

/** The stored last use may lag behind by this much: most sign-ins then write nothing here. */
export const lagMs = 3_600_000

/** True if a use has to be stored: `storedMs` is the stored last one, null if there is none. */
export const isUseDue = (storedMs: number | null, nowMs: number): boolean =>
  storedMs === null || Math.abs(nowMs - storedMs) >= lagMs

const upsertNetwork = prepareWrite((db, user_id: number, network_hash: string, last_used_ms: number) =>
  db
    .insertInto('sign_in_networks')
    .values({ user_id, network_hash, last_used_ms })
    .onConflict((conflict) => conflict.columns(['user_id', 'network_hash']).doUpdateSet({ last_used_ms })),
)

/**
 * Remembers that a user signed in from a network, in the transaction that starts their session. `storedMs` is the stored last
 * use, null if there is none.
 */
export async function rememberNetwork(tx: Tx, userId: number, network: string, storedMs: number | null): Promise<void> {
  const now = tx.clock().getTime()
  if (isUseDue(storedMs, now)) await upsertNetwork(tx.db, userId, networkHashOf(userId, network), now)
  if (storedMs !== null) return
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
  const key = ['user_id', 'network_hash'] as const
  await deleteInPieces(ctx.unguarded, 'sign_in_networks', key, (eb) => eb('last_used_ms', '<=', before))
}

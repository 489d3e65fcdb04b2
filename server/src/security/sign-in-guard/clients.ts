import { networkOf } from '../../core/addresses.ts'
import type { Context, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import type { ReadDb } from '../../db/database.ts'
import { prepare } from '../../db/prepare.ts'
import { executeBehind } from '../../db/write-behind.ts'
import { networkHashOf, rememberNetwork } from './networks.ts'

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

/** What is known of a user's earlier sign-ins: one query, because every sign-in waits for it. */
const selectKnown = prepare((db, userId: number, networkHash: string, clientHash: string) => {
  const clients = db.selectFrom('sign_in_clients').select('user_id').where('user_id', '=', userId)
  const networks = db.selectFrom('sign_in_networks').select('user_id').where('user_id', '=', userId)
  return db.selectNoFrom((eb) => [
    eb.exists(networks.where('network_hash', '=', networkHash)).as('network'),
    eb.exists(clients.where('client_hash', '=', clientHash)).as('client'),
    eb.exists(clients).as('others'),
  ])
})

/** True and false, or 1 and 0 on SQLite. */
const readKnown = async (db: ReadDb, ...of: [userId: number, networkHash: string, clientHash: string]) => {
  const [known] = await selectKnown(db, ...of)
  return { network: Boolean(known?.network), client: Boolean(known?.client), others: Boolean(known?.others) }
}

/**
 * Remembers the network and browser of a sign-in, in its transaction, which holds the user's row. Returns true if the account
 * never had the pair, though it has signed in before: the owner should hear of it.
 */
export async function rememberClient(tx: Tx, userId: number, { ip, browser, platform }: Client): Promise<boolean> {
  const now = tx.clock().getTime()
  const network = networkOf(ip ?? '')
  const client_hash = hashSecret(`${userId} ${network} ${browser} ${platform}`)
  const known = await readKnown(tx.db, userId, networkHashOf(userId, network), client_hash)
  await rememberNetwork(tx, userId, network, known.network)
  const remembered = tx.db
    .insertInto('sign_in_clients')
    .values({ user_id: userId, client_hash, last_used_ms: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_hash']).doUpdateSet({ last_used_ms: now }))
  await executeBehind(tx.db, remembered)
  if (!known.client) await removeSurplus(tx, userId)
  return !known.client && known.others
}

async function removeSurplus(tx: Tx, userId: number): Promise<void> {
  const surplus = await tx.db
    .selectFrom('sign_in_clients')
    .select('client_hash')
    .where('user_id', '=', userId)
    .orderBy('last_used_ms', 'desc')
    .orderBy('client_hash')
    .limit(maxClients)
    .offset(maxClients)
    .execute()
  if (surplus.length === 0) return
  const hashes = surplus.map((row) => row.client_hash)
  await tx.db.deleteFrom('sign_in_clients').where('user_id', '=', userId).where('client_hash', 'in', hashes).execute()
}

/** Removes the pairs that were not used for a year. */
export async function removeOldClients(ctx: Context): Promise<void> {
  const before = ctx.clock().getTime() - keptMs
  await ctx.unguarded.deleteFrom('sign_in_clients').where('last_used_ms', '<=', before).execute()
}

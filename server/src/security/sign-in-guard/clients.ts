import { networkOf } from '../../core/addresses.ts'
import type { Context, Tx } from '../../core/context.ts'
import { hashSecret } from '../../core/secrets.ts'
import { dayMs, fromTimestamp } from '../../core/time.ts'
import { deleteInPieces } from '../../db/delete-in-pieces.ts'
import { prepareOne, prepareWrite } from '../../db/prepare.ts'
import { isUseDue, lagMs, networkHashOf, rememberNetwork } from './networks.ts'

/** How many pairs of network and browser are stored for each user; the most recently used ones are kept. */
const maxClients = 100
/** After this time without use, a pair counts as unknown. */
const keptMs = 365 * dayMs

/** What a user signs in with. A browser's version does not count: it changes every month. */
export interface Client {
  readonly ip: string | null
  readonly browser: string | null
  readonly platform: string | null
}

/**
 * When a user's network and pair were last used, whether the user has any pair, and when they last signed in: one query, because
 * every sign-in waits for it.
 */
const selectKnown = prepareOne((db, userId: number, networkHash: string, clientHash: string) => {
  const clients = db.selectFrom('sign_in_clients').where('user_id', '=', userId)
  const networks = db.selectFrom('sign_in_networks').where('user_id', '=', userId)
  return db.selectNoFrom((eb) => [
    networks.where('network_hash', '=', networkHash).select('last_used_ms').as('networkUsedMs'),
    clients.where('client_hash', '=', clientHash).select('last_used_ms').as('clientUsedMs'),
    eb.exists(clients.select('user_id')).as('others'),
    db.selectFrom('users').where('id', '=', userId).select('last_login').as('lastSignIn'),
  ])
})

const upsertClient = prepareWrite((db, user_id: number, client_hash: string, last_used_ms: number) =>
  db
    .insertInto('sign_in_clients')
    .values({ user_id, client_hash, last_used_ms })
    .onConflict((conflict) => conflict.columns(['user_id', 'client_hash']).doUpdateSet({ last_used_ms })),
)

/**
 * Remembers the network and browser of a sign-in, in its transaction, which holds the user's row and has not noted the sign-in
 * there yet. Returns true if the account never had the pair, though it has signed in before: the owner should be told.
 */
export async function rememberClient(tx: Tx, userId: number, { ip, browser, platform }: Client): Promise<boolean> {
  const now = tx.clock().getTime()
  const network = networkOf(ip ?? '')
  const client_hash = hashSecret(`${userId} ${network} ${browser} ${platform}`)
  const known = await selectKnown(tx.db, userId, networkHashOf(userId, network), client_hash)
  const { networkUsedMs = null, clientUsedMs = null, others = false, lastSignIn = null } = known ?? {}
  await rememberNetwork(tx, userId, network, networkUsedMs)
  if (isUseDue(clientUsedMs, now)) await upsertClient(tx.db, userId, client_hash, now)
  if (clientUsedMs !== null) return false
  await removeSurplus(tx, userId)
  return Boolean(others) || mayBeForgotten(lastSignIn, now) // `others` is 0 or 1 on SQLite
}

/** True if the user's pairs may have been removed because of their age. Accounts older than this table have no pairs, either. */
const mayBeForgotten = (lastSignIn: string | null, nowMs: number): boolean =>
  lastSignIn !== null && fromTimestamp(lastSignIn) <= nowMs - keptMs + lagMs

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
  const key = ['user_id', 'client_hash'] as const
  await deleteInPieces(ctx.unguarded, 'sign_in_clients', key, (eb) => eb('last_used_ms', '<=', before))
}

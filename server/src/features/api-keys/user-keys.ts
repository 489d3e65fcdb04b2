import type { Reads, Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'

/** A key as its owner sees it. */
export interface KnownKey {
  readonly name: string
  readonly prefix: string | null
  readonly last_used_at: string | null
}

/** The unexpired keys of a user, the most recently used first. */
export async function findLiveKeys(from: Reads | Tx, userId: number): Promise<KnownKey[]> {
  const keys = await from.db
    .selectFrom('api_keys')
    .select(['name', 'prefix', 'last_used_at'])
    .where('user_id', '=', userId)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', toTimestamp(from.clock()))]))
    .orderBy('id')
    .execute()
  return keys.sort((a, b) => (b.last_used_at ?? '').localeCompare(a.last_used_at ?? ''))
}

import { setImmediate as endOfTurn } from 'node:timers/promises'
import { countCache } from '../../core/cache-use.ts'
import { type MaybePromise, thenAtOnce } from '../../core/maybe-promise.ts'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { selectVersion } from './credentials.queries.ts'

/** About 5 MB. */
const maxEntries = 10_000

/**
 * Caches the holder of a credential between requests. `load` reads it at a version if it is not cached or if `isCurrent`
 * says that the cached one has expired. Credentials that do not exist are not cached.
 */
export type CredentialCache = <Holder extends object>(
  secretHash: string,
  load: (version: number | undefined) => Promise<Holder | undefined>,
  isCurrent: (holder: Holder) => boolean,
) => MaybePromise<Holder | undefined>

/**
 * The cache is never stale: each request asks the database for the credential version, and a new version empties the cache.
 * So a revocation takes effect at the next request on every node, however it was made.
 */
export function createCredentialCache(db: ReadDb): CredentialCache {
  const holders = new Map<string, object>()
  const use = countCache('credentials', holders)
  const readVersion = () => thenAtOnce(selectVersion(db), ([row]) => row?.version)
  const currentVersion = isPostgres(db) ? askTogether(async () => readVersion()) : readVersion
  let known: number | undefined
  const loadAt = async <Holder extends object>(
    version: number | undefined,
    secretHash: string,
    load: (version: number | undefined) => Promise<Holder | undefined>,
  ): Promise<Holder | undefined> => {
    holders.delete(secretHash)
    const holder = await load(version)
    // Read after `version`: if the holder is newer than `known`, the next lookup empties the cache.
    if (holder === undefined || version !== known) return holder
    if (holders.size >= maxEntries) holders.clear()
    holders.set(secretHash, holder)
    return holder
  }
  return <Holder extends object>(
    secretHash: string,
    load: (version: number | undefined) => Promise<Holder | undefined>,
    isCurrent: (holder: Holder) => boolean,
  ) =>
    thenAtOnce(currentVersion(), (version) => {
      if (version !== known) {
        holders.clear()
        known = version
      }
      const kept = holders.get(secretHash) as Holder | undefined
      if (kept === undefined || !isCurrent(kept)) {
        use.misses++
        return loadAt(version, secretHash, load)
      }
      use.hits++
      return kept
    })
}

/** Reads the version once at the end of a turn for all callers of that turn. Later callers wait for the next read. */
function askTogether<T>(ask: () => Promise<T>): () => Promise<T> {
  let asking: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined
  return () => {
    next ??= asking.then(endOfTurn).then(() => {
      next = undefined
      const answer = ask()
      asking = answer.catch(() => {})
      return answer
    })
    return next
  }
}

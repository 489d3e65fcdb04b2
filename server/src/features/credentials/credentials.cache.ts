import { setImmediate as endOfTurn } from 'node:timers/promises'
import { type MaybePromise, thenAtOnce } from '../../core/maybe-promise.ts'
import type { ReadDb } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'
import { selectVersion } from './credentials.queries.ts'

/** About 5 MB. */
const maxEntries = 10_000

/**
 * Who stands behind a credential, kept from one request to the next. `load` reads it at a version where it is not kept, or where
 * `isCurrent` says that the clock has outdated what is kept; what it does not find is not kept.
 */
export type CredentialCache = <Holder extends object>(
  secretHash: string,
  load: (version: number | undefined) => Promise<Holder | undefined>,
  isCurrent: (holder: Holder) => boolean,
) => MaybePromise<Holder | undefined>

/**
 * Nothing here is ever old: each request asks the database for the version of all that decides about credentials, and a
 * new version empties the cache. So a revocation counts at the next request on every node, however it was made.
 */
export function createCredentialCache(db: ReadDb): CredentialCache {
  const holders = new Map<string, object>()
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
    // Read after `version` was, so what is newer than `known` has emptied the cache by the next time that anybody looks.
    if (holder === undefined || version !== known) return holder
    if (holders.size >= maxEntries) holders.delete(holders.keys().next().value as string)
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
      return kept !== undefined && isCurrent(kept) ? kept : loadAt(version, secretHash, load)
    })
}

/** Asks once, at the end of a turn, for everybody who came before; who comes later waits for the next answer. */
export function askTogether<T>(ask: () => Promise<T>): () => Promise<T> {
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

/** The caches whose misses cost a question to the database or the preparation of a statement. */
export type CacheName = 'credentials' | 'statements' | 'trigrams' | 'mail_bodies'

/** How often a cache had what it was asked for, since this process started. Plain numbers: some count several times a request. */
export interface CacheUse {
  hits: number
  misses: number
}

interface Sized {
  readonly size: number
}

class Uses implements CacheUse {
  hits = 0
  misses = 0
  /** Several connections can have a cache of one name. Counting its entries must not keep a closed one alive. */
  readonly contents: WeakRef<Sized>[] = []

  get entries(): number {
    return this.contents.reduce((sum, each) => sum + (each.deref()?.size ?? 0), 0)
  }
}

const uses = new Map<CacheName, Uses>()

/** Where a cache counts its hits and misses; those of one name are added up. `contents` is what it holds. */
export function countCache(name: CacheName, contents: Sized): CacheUse {
  const use = uses.get(name) ?? new Uses()
  uses.set(name, use)
  use.contents.push(new WeakRef(contents))
  return use
}

export const cacheUses = (): ReadonlyMap<CacheName, CacheUse & { readonly entries: number }> => uses

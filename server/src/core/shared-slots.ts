/** Runs work for somebody, who is named by several keys (a user, a network): each key has places of its own. */
export type SharedSlots = <T>(keys: Readonly<Record<string, string>>, work: () => Promise<T>) => Promise<T>

export interface SharedLimits {
  /** How many pieces of work there may be at once, whoever they are for. */
  readonly all: number
  /** How many for one value of a key, by the name of the key. */
  readonly each: Readonly<Record<string, number>>
}

/**
 * Makes places that nobody can take from everybody else: beyond `each` the same user or network is refused, while others
 * still find room. Nothing waits: `refuse` answers at once.
 */
export function createSharedSlots({ all, each }: SharedLimits, refuse: () => Error): SharedSlots {
  let total = 0
  const taken = new Map<string, number>()
  const count = (name: string) => taken.get(name) ?? 0
  return async (keys, work) => {
    const names = Object.entries(keys).map(([key, value]) => ({ name: `${key} ${value}`, most: each[key] ?? all }))
    if (total >= all || names.some(({ name, most }) => count(name) >= most)) throw refuse()
    total++
    for (const { name } of names) taken.set(name, count(name) + 1)
    try {
      return await work()
    } finally {
      total--
      for (const { name } of names) {
        if (count(name) > 1) taken.set(name, count(name) - 1)
        else taken.delete(name)
      }
    }
  }
}

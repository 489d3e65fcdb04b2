/** The other processes of this service on this machine (GATEHOUSE_PROCESSES). */
export interface Siblings {
  readonly count: number
  /** Sends data to all of them. */
  readonly tell: (topic: string, data: unknown) => void
  /** Calls `listen` with what one of them tells. */
  readonly hear: (topic: string, listen: (data: never) => void) => void
}

export const noSiblings: Siblings = { count: 0, tell: () => {}, hear: () => {} }

/** Counts of one window, by caller. */
interface Counts<Key> {
  readonly windowEnd: number
  readonly added: readonly (readonly [Key, number])[]
}

/** Counts in fixed windows that all processes share: each adds up what the others tell. */
export interface SharedCounts<Key> {
  readonly windowEndAfter: (now: number) => number
  /** Tells the others; many counts of one turn of the event loop go together. */
  readonly share: (windowEnd: number, key: Key, amount: number) => void
}

export function shareCounts<Key extends string | number | null>(
  siblings: Siblings,
  topic: string,
  windowMs: number,
  addForeign: (windowEnd: number, key: Key, amount: number) => void,
): SharedCounts<Key> {
  if (siblings.count === 0) return { windowEndAfter: (now) => now + windowMs, share: () => {} }
  let waiting: (readonly [Key, number])[] = []
  siblings.hear(topic, ({ windowEnd, added }: Counts<Key>) => {
    for (const [key, amount] of added) addForeign(windowEnd, key, amount)
  })
  return {
    // The same window in all processes.
    windowEndAfter: (now) => (Math.floor(now / windowMs) + 1) * windowMs,
    share: (windowEnd, key, amount) => {
      if (waiting.push([key, amount]) > 1) return
      setImmediate(() => {
        siblings.tell(topic, { windowEnd, added: waiting } satisfies Counts<Key>)
        waiting = []
      })
    },
  }
}

/** Where a piece of work stands in a fair queue. */
export interface QueuePlace {
  /** Its owners, from the widest to the narrowest, e.g. provider, network, account. Always the same length. */
  readonly path: readonly [string, ...string[]]
  /** True for callers seen before. They wait in a line of their own, which unknown callers cannot fill. */
  readonly isFamiliar: boolean
}

/** Runs a limited number of jobs at a time. The rest wait; when the queue is full, `refuse` makes the error. */
export type FairQueue = <T>(place: QueuePlace, work: () => Promise<T>) => Promise<T>

interface Waiter {
  readonly place: QueuePlace
  readonly start: () => void
  readonly refuse: () => void
}

/** A group in the queue and its subgroups. Groups take turns, however many wait in each. */
class Group {
  size = 0
  readonly #key: string
  readonly #within = new Map<string, Group>()
  readonly #waiting: Waiter[] = []

  constructor(key: string) {
    this.#key = key
  }

  add(waiter: Waiter, depth = 0): void {
    this.size++
    const key = waiter.place.path[depth]
    if (key === undefined) {
      this.#waiting.push(waiter)
      return
    }
    const group = this.#within.get(key) ?? new Group(key)
    this.#within.set(key, group)
    group.add(waiter, depth + 1)
  }

  /** The first waiter of the group whose turn it is; the group then goes to the end. */
  takeNext(): Waiter | undefined {
    const [next] = this.#within
    if (next === undefined) return this.#count(this.#waiting.shift())
    const [key, group] = next
    const waiter = group.takeNext()
    this.#within.delete(key)
    if (group.size > 0) this.#within.set(key, group)
    return this.#count(waiter)
  }

  /** Removes the newest waiter of the largest group to make room for a smaller one; undefined if no group is larger. */
  takeSurplus(place: QueuePlace, depth = 0): Waiter | undefined {
    const key = place.path[depth]
    if (key === undefined) return undefined
    const own = this.#within.get(key)
    const largest = this.#largest()
    const hasMore = largest !== undefined && largest.size >= (own?.size ?? 0) + 2
    return this.#count(hasMore ? this.#takeFrom(largest) : own?.takeSurplus(place, depth + 1))
  }

  #takeFrom(largest: Group): Waiter | undefined {
    const waiter = largest.#takeNewest()
    if (largest.size === 0) this.#within.delete(largest.#key)
    return waiter
  }

  #takeNewest(): Waiter | undefined {
    const largest = this.#largest()
    return this.#count(largest === undefined ? this.#waiting.pop() : this.#takeFrom(largest))
  }

  #largest(): Group | undefined {
    let largest: Group | undefined
    for (const group of this.#within.values()) if (largest === undefined || group.size > largest.size) largest = group
    return largest
  }

  #count(taken: Waiter | undefined): Waiter | undefined {
    if (taken !== undefined) this.size--
    return taken
  }
}

export interface FairQueueLimits {
  /** How many jobs run at a time. */
  readonly parallel: number
  /** How many unknown callers may wait. */
  readonly strangers: number
  /** How many known callers may wait in addition. */
  readonly familiar: number
}

/** One of this many starts goes to an unknown caller, so that nobody waits for ever. */
const turns = 4

/**
 * Makes a queue in which a flood delays its own group only. When all places are taken, a newcomer
 * from a smaller group takes the place of the newest waiter of the largest group.
 */
export function createFairQueue(limits: FairQueueLimits, refuse: () => Error): FairQueue {
  let free = limits.parallel
  let turn = 0
  const lines = { familiar: new Group(''), strangers: new Group('') }

  function wait(place: QueuePlace): Promise<void> {
    const name = place.isFamiliar ? 'familiar' : 'strangers'
    const line = lines[name]
    if (line.size >= limits[name]) {
      const surplus = line.takeSurplus(place)
      if (surplus === undefined) return Promise.reject(refuse())
      surplus.refuse()
    }
    return new Promise((resolve, reject) => {
      line.add({ place, start: resolve, refuse: () => reject(refuse()) })
    })
  }

  function next(): Waiter | undefined {
    turn = (turn + 1) % turns
    const [first, second] = turn === 0 ? [lines.strangers, lines.familiar] : [lines.familiar, lines.strangers]
    return first.takeNext() ?? second.takeNext()
  }

  return async (place, work) => {
    if (free > 0) free--
    else await wait(place)
    try {
      return await work()
    } finally {
      const waiter = next()
      if (waiter === undefined) free++
      else waiter.start()
    }
  }
}

import { networkOf } from './addresses.ts'
import type { Actor } from './context.ts'

/** Takes a place on behalf of several keys, and returns the function that gives it back. */
export type SharedPlaces = (keys: Readonly<Record<string, string>>) => () => void

/** Runs work on behalf of several keys (a user, a network). Each key has its own limit. */
export type SharedSlots = <T>(keys: Readonly<Record<string, string>>, work: () => Promise<T>) => Promise<T>

export interface SharedLimits {
  /** How many jobs may run at once in total. */
  readonly all: number
  /** How many may run at once for one value of a key, by the key's name. */
  readonly each: Readonly<Record<string, number>>
}

/** The user and the network whose places an actor takes. */
export const sharesOf = ({ userId, origin }: Actor) => ({
  user: String(userId),
  network: networkOf(origin.ip ?? ''),
})

/** Makes slots of shared places. */
export function createSharedSlots(limits: SharedLimits, refuse: () => Error): SharedSlots {
  const take = createSharedPlaces(limits, refuse)
  return async (keys, work) => {
    const leave = take(keys)
    try {
      return await work()
    } finally {
      leave()
    }
  }
}

/**
 * Makes places that one caller cannot exhaust: beyond `each`, the same user or network is refused while others still
 * get in. Nothing waits: a refused caller gets `refuse`'s error at once.
 */
export function createSharedPlaces({ all, each }: SharedLimits, refuse: () => Error): SharedPlaces {
  let total = 0
  const taken = new Map<string, number>()
  const count = (name: string) => taken.get(name) ?? 0
  return (keys) => {
    const names = Object.entries(keys).map(([key, value]) => ({ name: `${key} ${value}`, most: each[key] ?? all }))
    if (total >= all || names.some(({ name, most }) => count(name) >= most)) throw refuse()
    total++
    for (const { name } of names) taken.set(name, count(name) + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      total--
      for (const { name } of names) {
        if (count(name) > 1) taken.set(name, count(name) - 1)
        else taken.delete(name)
      }
    }
  }
}

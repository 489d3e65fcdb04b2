import { useSyncExternalStore } from 'react'

/** A value that is kept outside of React: `use` reads it in a component, which is drawn again when `set` changes it. */
export function createStore<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  const get = (): T => value
  const set = (next: T): void => {
    value = next
    for (const listener of listeners) listener()
  }
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { get, set, use: (): T => useSyncExternalStore(subscribe, get) }
}

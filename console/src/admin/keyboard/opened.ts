import { useSyncExternalStore } from 'react'

type Opened = 'palette' | 'help' | undefined

let opened: Opened
const listeners = new Set<() => void>()

/** Opens the palette or the list of keys, from wherever; undefined closes it. */
export function setOpened(next: Opened): void {
  opened = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOpened = (): Opened => useSyncExternalStore(subscribe, () => opened)

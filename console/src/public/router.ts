import { useSyncExternalStore } from 'react'
import { home } from '../api/address.ts'

/** What one page hands to the next: kept in the history entry, so that it survives a reload and never stands in an address. */
export type Handed = Readonly<Record<string, string>>

const listeners = new Set<() => void>()

/** `token` and `email` come in the fragment of a link (it reaches no log); once read they leave the address bar. */
function takeFragment(): void {
  const handed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  if (handed.token === undefined && handed.email === undefined) return
  history.replaceState(handed, '', location.pathname + location.search)
}
takeFragment()
addEventListener('hashchange', () => {
  takeFragment()
  for (const listener of listeners) listener()
})
addEventListener('popstate', () => {
  for (const listener of listeners) listener()
})

/** Who came with a session cookie, which no script can see: the server writes it into the page. */
export const isReturning = document.querySelector('meta[name=visitor]')?.getAttribute('content') !== 'anonymous'

/**
 * Goes to another public page without a page load, except after something was `done`: the session may be over. The page of the
 * console that was asked for (`next`) stays in the address.
 */
export function navigate(page: string, handed: Handed = {}): void {
  history.pushState(handed, '', home + page + location.search)
  if (handed.done !== undefined && isReturning) {
    location.reload() // what was handed over survives it
    return
  }
  scrollTo(0, 0)
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page that the address names: `login`. */
export const usePage = (): string => useSyncExternalStore(subscribe, () => location.pathname.slice(home.length))

/** What the page before, or the link, has handed over. */
export const useHanded = (): Handed => (useSyncExternalStore(subscribe, () => history.state) ?? {}) as Handed

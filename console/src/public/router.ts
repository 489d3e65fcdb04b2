import { useEffect, useSyncExternalStore } from 'react'
import { home } from '../api/address.ts'

/** What one page hands to the next: kept in the history entry, so that it survives a reload and never stands in an address. */
export type Handed = Readonly<Record<string, string>>

const listeners = new Set<() => void>()
const tell = () => {
  for (const listener of listeners) listener()
}

/** `token` and `email` come in the fragment of a link (it reaches no log); once read they leave the address bar. */
function takeFragment(): void {
  const handed = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  if (handed.token === undefined && handed.email === undefined) return
  history.replaceState(handed, '', location.pathname + location.search)
}
takeFragment()
addEventListener('hashchange', () => {
  takeFragment()
  tell()
})

/** What is asked before the browser's Back or Forward leaves the page. */
let guarded: { readonly page: string; readonly question: string } | undefined
addEventListener('popstate', () => {
  if (guarded === undefined || pageOf(location.pathname) === guarded.page || confirm(guarded.question)) tell()
  else history.forward()
})

/** Asks before this page is left by the browser's Back; a page of ours is left without `beforeunload`. */
export function useBackQuestion(question: string, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return
    guarded = { page: pageOf(location.pathname), question }
    return () => {
      guarded = undefined
    }
  }, [question, isOn])
}

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
  tell()
}

/** Keeps what was typed with this page, for a reload and the browser's Back. Never a password. */
export function keep(typed: Handed): void {
  history.replaceState({ ...history.state, ...typed }, '')
  tell()
}

/** Shows another step of this page, the first one without a name. Back leads to the step before. */
export function goToStep(step: string | undefined): void {
  const { step: _left, done: _said, ...handed } = history.state ?? {}
  navigate(pageOf(location.pathname), step === undefined ? handed : { ...handed, step })
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const pageOf = (path: string): string => path.slice(home.length)

/** The page that the address names: `login`. */
export const usePage = (): string => useSyncExternalStore(subscribe, () => pageOf(location.pathname))

/** What the page before, or the link, has handed over. */
export const useHanded = (): Handed => (useSyncExternalStore(subscribe, () => history.state) ?? {}) as Handed

/**
 * What a step of the page needs, as long as the step is shown: setting it shows the step, taking it away the first one.
 * `phone/code` is a step of `phone`.
 */
export function useStep<T>(
  name: string,
  [data, setData]: [T | undefined, (data: T | undefined) => void],
): [T | undefined, (data: T | undefined) => void] {
  const { step = '' } = useHanded()
  const isShown = step === name || step.startsWith(`${name}/`)
  const set = (next: T | undefined) => {
    setData(next)
    if (next !== undefined) goToStep(name)
    else if (isShown) goToStep(undefined)
  }
  return [isShown ? data : undefined, set]
}

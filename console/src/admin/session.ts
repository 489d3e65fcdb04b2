import type { components } from '@gatehouse/client'
import type { Needs } from '@gatehouse/plugin-kit/console'
import { leadingBack } from '../api/address.ts'
import { ApiError, api, unwrap } from '../api/client.ts'
import { createStore } from './store.ts'

export type User = components['schemas']['User']

/** Who is signed in, and what they may do. Kept in memory only. */
export interface Session {
  readonly user: User
  readonly permissions: ReadonlySet<string>
}

const store = createStore<Session | undefined>(undefined)

/** If the page is still open after this time, its user chose to stay on it, to keep what they had typed. */
const stayMs = 1_000

/** Set while this page is being left. Resolves if somebody stays. */
let leaving: PromiseWithResolvers<void> | undefined
let timer: ReturnType<typeof setTimeout> | undefined

/** Called before signing out, so that the end of the session is not reported. */
export const startLeaving = (): void => {
  leaving ??= Promise.withResolvers<void>()
}

/** Opens another page, for whoever asked for it. Never resolves. */
export function leave(address: string): Promise<never> {
  startLeaving()
  clearTimeout(timer)
  location.assign(address)
  timer = setTimeout(() => {
    leaving?.resolve()
    leaving = undefined
    timer = undefined
  }, stayMs)
  return new Promise(() => {})
}

/** Opens another page because the server refused a request; once, however many it refuses. Never resolves. */
const leaveOnce = (address: string): Promise<never> => (timer === undefined ? leave(address) : new Promise(() => {}))

/** Resolves at once, or, while the page is being left, if somebody stays. */
export const untilStaying = async (): Promise<void> => leaving?.promise

/** Goes to the sign-in page, which leads back here. */
export const goToSignIn = (): Promise<never> => leaveOnce(leadingBack('login'))

/** Goes to the page that adds the second factor that the role requires, and leads back here: nothing else is possible before. */
const goToAddFactor = (): Promise<never> => leaveOnce(leadingBack('add-factor'))

let asked = 0
let shown = 0

/** Asks the server who is signed in; rejects if nobody is. */
export async function refreshSession(): Promise<Session> {
  const turn = ++asked
  const [{ data: user }, { data: permissions }] = await Promise.all([
    unwrap(api.GET('/me')),
    unwrap(api.GET('/me/permissions')),
  ])
  if (turn < shown) return getSession() // a newer answer was quicker
  const before = store.get()
  if (before !== undefined && before.user.id !== user.id) {
    throw new ApiError('Somebody else has signed in.', 401, 'unauthenticated') // in another tab; this page is not theirs
  }
  shown = turn
  store.set({ user, permissions: new Set(permissions) })
  return getSession()
}

/** The same, but leaves for the sign-in page if nobody is signed in. */
export async function loadSession(): Promise<Session> {
  try {
    return await refreshSession()
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return goToSignIn()
    if (error instanceof ApiError && error.code === 'two_factor_enrolment_required') return goToAddFactor()
    throw error
  }
}

/** After something that may have changed the session. Where it cannot be loaded, the one before stays. */
export async function reloadSession(): Promise<void> {
  await loadSession().catch(() => {})
}

/** Already loaded: nothing of the console is drawn before it is. */
function loaded(session: Session | undefined): Session {
  if (session === undefined) throw new Error('no session yet')
  return session
}

export const getSession = (): Session => loaded(store.get())

/** Who is signed in; drawn again when `loadSession` brings something new (a changed name, another role). */
export const useSession = (): Session => loaded(store.use())

/** Whether a set of permissions has any one of those needed; needing none is for everybody. */
export const covers = (held: ReadonlySet<string>, needs: Needs): boolean => {
  const wanted = [needs].flat()
  return wanted.length === 0 || wanted.some((name) => held.has(name))
}

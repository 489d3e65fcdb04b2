import { useSyncExternalStore } from 'react'
import { api, unwrap } from '../api/client.ts'
import { askPasskey } from '../api/passkeys.ts'
import { calledOff } from './called-off.ts'

/** Set while somebody has to prove again who they are; whatever was refused waits for it. */
let waiting: PromiseWithResolvers<boolean> | undefined
const listeners = new Set<() => void>()

function setWaiting(next: typeof waiting): void {
  waiting = next
  for (const listener of listeners) listener()
}

/** Asks for a fresh proof over the page, once for however many answers asked for it. Resolves to false where it was called off. */
function proveAgain(): Promise<boolean> {
  if (waiting === undefined) setWaiting(Promise.withResolvers<boolean>())
  return (waiting as PromiseWithResolvers<boolean>).promise
}

export function finishProof(isProved: boolean): void {
  const done = waiting
  setWaiting(undefined)
  done?.resolve(isProved)
}

/** Repeats a request that the API refused because it needs a fresh proof, once that was given; see `isCalledOff` for where it was not. */
export async function withProof<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { code?: string }).code !== 'reauthentication_required') throw error
    if (!(await proveAgain())) throw calledOff()
    return work()
  }
}

export interface Proof {
  readonly current_password: string
  readonly token?: string
  /** Of a code that was sent by SMS. */
  readonly challenge?: string | undefined
  readonly method?: 'sms' | undefined
}

export const sendProof = (body: Proof): Promise<unknown> => unwrap(api.POST('/me/reauthenticate', { body }))

/** Sends a code by SMS; returns the challenge that it answers. */
export const sendProofCode = async (): Promise<string> => (await unwrap(api.POST('/me/reauthenticate/sms'))).challenge

export async function proveWithPasskey(): Promise<void> {
  const { challenge, options } = await unwrap(api.POST('/me/reauthenticate/options'))
  const credential = await askPasskey(options)
  await unwrap(api.POST('/me/reauthenticate', { body: { challenge, credential } }))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a fresh proof has to be asked for. */
export const useIsProofNeeded = (): boolean => useSyncExternalStore(subscribe, () => waiting !== undefined)

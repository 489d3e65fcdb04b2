import { api, unwrap } from '../api/client.ts'
import { askPasskey } from '../api/passkeys.ts'
import { calledOff } from './called-off.ts'
import { createStore } from './store.ts'

/** Set while somebody has to prove again who they are; whatever was refused waits for it. */
const waiting = createStore<PromiseWithResolvers<boolean> | undefined>(undefined)

/** Asks for a fresh proof over the page, once for however many answers asked for it. Resolves to false where it was called off. */
function proveAgain(): Promise<boolean> {
  const proof = waiting.get() ?? Promise.withResolvers<boolean>()
  waiting.set(proof)
  return proof.promise
}

export function finishProof(isProved: boolean): void {
  const proof = waiting.get()
  waiting.set(undefined)
  proof?.resolve(isProved)
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

/** Whether a fresh proof has to be asked for. */
export const useIsProofNeeded = (): boolean => waiting.use() !== undefined

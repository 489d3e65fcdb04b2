import { browserSupportsWebAuthn, startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { ApiError } from './client.ts'

type Json = Record<string, unknown>
type RequestOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']
type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

/** Whether this browser knows passkeys at all. */
export const hasPasskeys = (): boolean => browserSupportsWebAuthn()

/** What a browser says in words of its own, in ours. */
function inWords(error: unknown): never {
  const name = error instanceof Error ? error.name : ''
  const words =
    name === 'InvalidStateError'
      ? 'This device has a passkey of your account already.'
      : name === 'SecurityError'
        ? 'This browser allows no passkeys here: the page has to be opened with its public https address.'
        : 'No passkey was used. You can try again, or choose another way.'
  throw new ApiError(words, 0, 'passkey_cancelled')
}

/** Has the person use a passkey; what the server checks comes back. `quietly`: it is offered where the name is typed. */
export async function askPasskey(options: Json, quietly = false): Promise<Json> {
  const optionsJSON = options as unknown as RequestOptions
  return startAuthentication({ optionsJSON, useBrowserAutofill: quietly }).then(
    (credential) => ({ ...credential }),
    inWords,
  )
}

/** Has the person make a passkey. */
export async function makePasskey(options: Json): Promise<Json> {
  const optionsJSON = options as unknown as CreationOptions
  return startRegistration({ optionsJSON }).then((credential) => ({ ...credential }), inWords)
}

import { apiAddress } from '../api/address.ts'
import { ApiError } from '../api/client.ts'
import { withProof } from './reauthenticate.ts'
import { withSession } from './sign-in-again.ts'

interface Refusal {
  readonly message?: string
  readonly code?: string
  readonly errors?: Record<string, string[]>
}

async function toError(response: Response): Promise<ApiError> {
  const {
    message = 'Something went wrong on the server.',
    code = 'unknown',
    errors = {},
  } = (await response.json().catch(() => ({}))) as Refusal
  const details = Object.values(errors).flat()
  return new ApiError(details.length > 0 ? details.join(' ') : message, response.status, code, errors)
}

/** A call of the API that sends or gets a file. Waits for a sign-in or a proof like any other; errors are {@link ApiError}. */
export const fetchFile = (path: string, init: RequestInit = {}): Promise<Response> =>
  withProof(() => withSession(() => send(path, init)))

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(apiAddress + path, init).catch((cause: Error) => {
    if (cause.name === 'AbortError') throw cause
    throw new ApiError('The server cannot be reached. Check your connection and try again.', 0, 'unreachable')
  })
  if (response.ok) return response
  throw await toError(response)
}

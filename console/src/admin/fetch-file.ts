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

const unreachable = () =>
  new ApiError('The server cannot be reached. Check your connection and try again.', 0, 'unreachable')

async function send(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(apiAddress + path, init).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : unreachable()
  })
  if (response.ok) return response
  throw await toError(response)
}

interface Upload {
  readonly type: string
  readonly body: Blob
  readonly signal: AbortSignal
  /** With how many bytes have been sent. */
  readonly onProgress: (bytes: number) => void
}

/** The same for a large file that is sent: `fetch` does not tell how far it is. */
export const uploadFile = (path: string, upload: Upload): Promise<Response> =>
  withProof(() => withSession(() => post(path, upload)))

async function post(path: string, { type, body, signal, onProgress }: Upload): Promise<Response> {
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.upload.onprogress = ({ loaded }) => onProgress(loaded)
  request.onload = () => resolve()
  request.onerror = () => reject(unreachable())
  request.onabort = () => reject(signal.reason)
  signal.addEventListener('abort', () => request.abort())
  request.open('POST', apiAddress + path)
  request.setRequestHeader('content-type', type)
  request.send(body)
  await promise
  const response = new Response(request.responseText, { status: request.status })
  if (response.ok) return response
  throw await toError(response)
}

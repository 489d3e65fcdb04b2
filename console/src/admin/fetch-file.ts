import { apiAddress } from '../api/address.ts'
import { ApiError, unreachable } from '../api/client.ts'
import { isForeign } from '../api/foreign-answer.ts'
import { keyFor } from '../api/idempotency.ts'
import { withProof } from './reauthenticate.ts'
import { withSession } from './sign-in-again.ts'

interface Refusal {
  readonly message?: string
  readonly code?: string
  readonly errors?: Record<string, string[]>
}

/** What a proxy in front of the server says without words of ours. */
const otherWords: Readonly<Record<number, string>> = {
  413: 'The file is larger than the server, or a proxy in front of it, takes.',
  502: 'The server cannot be reached now. Try again later.',
  503: 'The server cannot be reached now. Try again later.',
  504: 'The server takes too long to answer. Try again later.',
}

async function toError(response: Response): Promise<ApiError> {
  const {
    message = otherWords[response.status] ?? 'Something went wrong on the server.',
    code = 'unknown',
    errors = {},
  } = (await response.json().catch(() => ({}))) as Refusal
  const details = Object.values(errors).flat()
  return new ApiError(details.length > 0 ? details.join(' ') : message, response.status, code, errors)
}

/** Gets a file of this type from the API. Waits for a sign-in or a proof like any other call; errors are {@link ApiError}. */
export const fetchFile = (path: string, type: string, signal?: AbortSignal): Promise<Response> =>
  withProof(() => withSession(() => get(path, type, signal)))

const fileGone = () =>
  new ApiError('The file was changed or moved after you chose it. Choose it again.', 0, 'file_unreadable')

/** Reads what is left of an answer; a connection that is lost meanwhile is an error in words. */
export const orCut = <T>(read: Promise<T>): Promise<T> =>
  read.catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : new ApiError('The connection was lost. Try again.', 0, 'unreachable')
  })

async function get(path: string, type: string, signal: AbortSignal | undefined): Promise<Response> {
  const init = { headers: { accept: type }, ...(signal === undefined ? {} : { signal }) }
  const response = await fetch(apiAddress + path, init).catch((cause: Error) => {
    throw cause.name === 'AbortError' ? cause : unreachable()
  })
  if (!response.ok) throw await toError(response)
  if (isForeign(response, type)) throw unreachable()
  return response
}

interface Upload {
  readonly type: string
  readonly body: Blob
  /** Differs for another body: the same one sent again after no answer came is taken once. */
  readonly identity: string
  readonly signal: AbortSignal
  /** Called with the number of bytes sent. */
  readonly onProgress: (bytes: number) => void
}

/** The same for a large upload: `fetch` reports no progress. */
export const uploadFile = (path: string, upload: Upload): Promise<Response> =>
  withProof(() => withSession(() => post(path, upload)))

/** The browser reports a file that it can no longer read as a connection that failed. */
const isReadable = (body: Blob): Promise<boolean> =>
  body
    .slice(-1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

async function post(path: string, { type, body, identity, signal, onProgress }: Upload): Promise<Response> {
  const { key, forget } = keyFor(apiAddress + path, identity)
  const request = new XMLHttpRequest()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  request.upload.onprogress = ({ loaded }) => onProgress(loaded)
  request.onload = () => resolve()
  request.onerror = async () => reject((await isReadable(body)) ? unreachable() : fileGone())
  request.onabort = () => {
    forget()
    reject(signal.reason)
  }
  signal.addEventListener('abort', () => request.abort())
  request.open('POST', apiAddress + path)
  request.setRequestHeader('content-type', type)
  request.setRequestHeader('idempotency-key', key)
  request.send(body)
  await promise
  const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' }
  const response = new Response(request.responseText, { status: request.status, headers })
  if (isForeign(response)) throw unreachable()
  if (response.status < 500) forget()
  if (response.ok) return response
  throw await toError(response)
}

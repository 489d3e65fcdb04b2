import { createClient } from '@gatehouse/client'
import { apiAddress } from './address.ts'
import { fetchWithKey } from './idempotency.ts'

/** The typed API as the current user: the browser adds the cookie. */
export const api = createClient({ baseUrl: apiAddress, fetch: fetchWithKey })

/** A refusal, in words that can be shown. `fields` has the messages of each failing field. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly fields: Record<string, string[]>
  readonly retryAfterSeconds: number | undefined

  constructor(
    message: string,
    status: number,
    code: string,
    fields: Record<string, string[]> = {},
    retryAfterSeconds?: number,
  ) {
    super(message)
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

interface Refusal {
  message?: string
  code?: string
  errors?: Record<string, string[]>
}

const inTime = (seconds: number): string =>
  seconds > 90 ? `in ${Math.ceil(seconds / 60)} minutes` : seconds === 1 ? 'in a second' : `in ${seconds} seconds`

/** Messages of the API that we say in other words, by their codes. */
const otherWords: Readonly<Record<string, string>> = {
  two_factor_token_invalid: 'This code is wrong or has expired.',
  idempotency_in_progress: 'This is still being done. Please try again in a moment.',
  unreadable_answer: 'Something went wrong on the server.',
  idempotency_answer_lost: 'This was done, but its answer was lost. Look at the result before you send it again.',
}

function toApiError({ error, response }: Answer<unknown>): ApiError {
  const { code = 'unknown', errors: given = {}, ...refusal } = (error ?? {}) as Refusal
  const message = otherWords[code] ?? refusal.message ?? 'Something went wrong on the server.'
  const errors =
    otherWords[code] === undefined ? given : Object.fromEntries(Object.keys(given).map((field) => [field, [message]]))
  const seconds = Number(response.headers.get('retry-after')) || undefined
  const wait = seconds === undefined ? 'later' : inTime(seconds)
  const words: Record<number, string> = {
    429: `Too many attempts. Please try again ${wait}.`,
    503: `${message.replace(/ Please try again\.$/, '')} Please try again ${wait}.`,
  }
  return new ApiError(words[response.status] ?? message, response.status, code, errors, seconds)
}

export const unreachable = (): ApiError =>
  new ApiError('The server cannot be reached. Check your connection and try again.', 0, 'unreachable')

/** The body of a successful answer; throws an {@link ApiError} for every other, and where none came at all. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause
    throw unreachable()
  }
  if (!answer.response.ok) throw toApiError(answer)
  // The API answers with JSON objects. Anything else is a proxy's sign-in page, for example, which arrives with status 200.
  if (!(answer.data instanceof Object)) throw unreachable()
  return answer.data as T
}

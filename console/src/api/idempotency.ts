import { isForeign } from './foreign-answer.ts'

/**
 * The `Idempotency-Key` of every POST (IETF draft-ietf-httpapi-idempotency-key-header). The same request sent again after no
 * answer came, or beside the first, has the same key, so that the server does it once and gives both the same answer. Another body, or an answer, brings a new key.
 */

interface Attempt {
  readonly body: string
  readonly key: string
}

/** By address: the POST whose outcome is not known. */
const attempts = new Map<string, Attempt>()

/** The server is still busy with the first request of this key. */
async function isInProgress(response: Response): Promise<boolean> {
  if (response.status !== 409) return false
  const { code } = await response
    .clone()
    .json()
    .catch(() => ({}))
  return code === 'idempotency_in_progress'
}

/** How often, and how long in all, the answer of the first request is asked for. */
const askAgainMs = 1_000
const patienceMs = 20_000

/** Sends a request; where the same one is under way already, its answer is waited for. */
async function fetchAnswer(request: Request): Promise<Response> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const response = await fetch(request.clone())
    if (performance.now() > deadline || !(await isInProgress(response))) return response
    await new Promise((next) => setTimeout(next, askAgainMs))
    request.signal.throwIfAborted()
  }
}

/** On a page over plain HTTP there is no `crypto.randomUUID`. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

const isJson = (request: Request): boolean => request.headers.get('content-type')?.includes('json') === true

interface Key {
  readonly key: string
  /** Call it once the outcome is known, or no longer wanted. */
  readonly forget: () => void
}

/** The key for a POST of this body: that of the last attempt, if its outcome is not known. */
export function keyFor(url: string, body: string): Key {
  const known = attempts.get(url)
  const attempt = known?.body === body ? known : { body, key: createKey() }
  attempts.set(url, attempt)
  return {
    key: attempt.key,
    forget: () => {
      if (attempts.get(url) === attempt) attempts.delete(url)
    },
  }
}

/** `fetch` that gives every POST its key. A body that is no JSON (a picture) is never the same as one before. */
export async function fetchWithKey(request: Request): Promise<Response> {
  if (request.method !== 'POST') return fetch(request)
  const isComparable = request.body === null || isJson(request)
  const { key, forget } = keyFor(request.url, isComparable ? await request.clone().text() : createKey())
  request.headers.set('idempotency-key', key)
  try {
    const response = await fetchAnswer(request)
    const isUndecided = response.status >= 500 || isForeign(response) || (await isInProgress(response))
    if (!isUndecided) forget()
    return response
  } catch (error) {
    if (request.signal.aborted) forget() // the answer is no longer wanted
    throw error
  }
}

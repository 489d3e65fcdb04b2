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

/** `fetch` that gives every POST its key. A body that is no JSON (a picture) is never the same as one before. */
export async function fetchWithKey(request: Request): Promise<Response> {
  if (request.method !== 'POST') return fetch(request)
  const isComparable = request.body === null || isJson(request)
  const body = isComparable ? await request.clone().text() : createKey()
  const known = attempts.get(request.url)
  const attempt = known?.body === body ? known : { body, key: createKey() }
  attempts.set(request.url, attempt)
  const forget = () => {
    if (attempts.get(request.url) === attempt) attempts.delete(request.url)
  }
  request.headers.set('idempotency-key', attempt.key)
  try {
    const response = await fetchAnswer(request)
    const isUndecided = response.status >= 500 || (await isInProgress(response))
    if (!isUndecided) forget()
    return response
  } catch (error) {
    if (request.signal.aborted) forget() // the answer is no longer wanted
    throw error
  }
}

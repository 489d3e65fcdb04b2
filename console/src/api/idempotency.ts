/**
 * The `Idempotency-Key` of every POST (IETF draft-ietf-httpapi-idempotency-key-header). The same request sent again after no
 * answer came has the same key, so that the server does it once. Another body, or an answer, brings a new key.
 */

interface Attempt {
  readonly body: string
  readonly key: string
}

/** By address: the POST whose outcome is not known. */
const attempts = new Map<string, Attempt>()

/** Says that the server has not decided: it is still busy with the first, or something before it answered. */
const isUndecided = (status: number): boolean => status === 409 || status >= 500

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
    const response = await fetch(request)
    if (!isUndecided(response.status)) forget()
    return response
  } catch (error) {
    if (request.signal.aborted) forget() // the answer is no longer wanted
    throw error
  }
}

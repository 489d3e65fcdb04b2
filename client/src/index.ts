import createFetchClient, {
  type ClientPathsWithMethod,
  type Client as FetchClient,
  type FetchResponse,
  type MaybeOptionalInit,
} from 'openapi-fetch'
import { type FedEvent, type FeedOptions, readFeed } from './feed.ts'
import type { paths } from './generated/api.ts'

export { type FedEvent, FeedError, type FeedOptions } from './feed.ts'
export type * from './generated/api.ts'
export { type GatehouseEvent, type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from './webhooks.ts'

type Json = 'application/json'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type PathWith<M extends Method> = ClientPathsWithMethod<FetchClient<paths, Json>, M>

/** How to give the data of an answer: as its text, or as a stream of bytes. Default: JSON parsed, and any other type as text. */
type ParseAs = 'text' | 'stream' | undefined

/** The parameters of a call besides its path. */
type Options<P extends keyof paths, M extends Method, As extends ParseAs> = MaybeOptionalInit<paths[P], M> & {
  parseAs?: As
}

type Success<P extends keyof paths, M extends Method> = paths[P][M] extends { responses: infer R }
  ? R[keyof R & (200 | 201 | 202)]
  : never

/** The data is JSON if the operation can answer JSON, which every call asks for. Otherwise it has the type that the document names. */
type Answer<P extends keyof paths, M extends Method, As extends ParseAs> = FetchResponse<
  paths[P][M] & object,
  As extends 'text' | 'stream' ? { parseAs: As } : object,
  Success<P, M> extends { content: { 'application/json': unknown } } ? Json : `${string}/${string}`
>

/** openapi-fetch infers a type from the options, which lets misspelt fields through; here they have exactly this type. */
type Call<M extends Method> = <P extends PathWith<M>, As extends ParseAs = undefined>(
  path: P,
  ...options: undefined extends MaybeOptionalInit<paths[P], M>
    ? [options?: Options<P, M, As>]
    : [options: Options<P, M, As>]
) => Promise<Answer<P, M, As>>

interface UntypedAnswer {
  readonly data?: unknown
  readonly error?: unknown
  readonly response: Response
}
type UntypedCall = (path: string, options?: { readonly parseAs?: ParseAs }) => Promise<UntypedAnswer>

const isJson = ({ headers }: Response): boolean =>
  /^application\/(?:.+\+)?json\b/i.test(headers.get('content-type') ?? '')

/** What the API answers with an error. A proxy in front of it may send a page, an object of its own, or nothing. */
const isError = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'message' in error && 'code' in error

/** openapi-fetch parses every answer as JSON. This parses those that are, and leaves the text of others. An error is always an object. */
const byType =
  (call: UntypedCall): UntypedCall =>
  async (path, options) => {
    const answer = await call(path, { ...options, parseAs: options?.parseAs ?? 'text' })
    const { status } = answer.response
    if (status >= 400 && !isError(answer.error)) {
      const message = `The answer ${status} is not from Gatehouse.`
      return { error: { message, code: 'unreadable_answer' }, response: answer.response }
    }
    if (options?.parseAs !== undefined || typeof answer.data !== 'string' || !isJson(answer.response)) return answer
    return { ...answer, data: answer.data === '' ? undefined : JSON.parse(answer.data) }
  }

/** A file makes the body a form. Text or a blob is a file that is the whole body: the caller says its type. */
function serialize(body: unknown): FormData | Blob | string {
  if (typeof body === 'string' || body instanceof FormData || body instanceof Blob) return body
  const fields = Object.entries(body ?? {})
  if (!fields.some(([, value]) => value instanceof Blob)) return JSON.stringify(body)
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  return form
}

/** One method for each HTTP method: `client.GET('/users/{id}', { params: { path: { id: 2 } } })`. */
export interface Client extends Pick<FetchClient<paths, Json>, 'use' | 'eject'> {
  readonly GET: Call<'get'>
  readonly POST: Call<'post'>
  readonly PUT: Call<'put'>
  readonly PATCH: Call<'patch'>
  readonly DELETE: Call<'delete'>
  /**
   * The feed of events, from a cursor on and without an end: it waits for the next event, and goes on after failures of the
   * network. Needs the permission `events.read`. Rejects with {@link FeedError} if a request is refused, or if
   * the answer is not from the feed; with a `TypeError` if the base URL or the API key is such that no request can be made.
   */
  readonly events: (options?: FeedOptions) => AsyncGenerator<FedEvent, void, undefined>
}

export interface ClientOptions {
  /** The base URL of the API, including `/api`: `https://users.example.com/api`. A trailing slash makes no difference. */
  readonly baseUrl: string
  /**
   * `gh_` and 43 more characters, from `POST /api-keys` or `gatehouse keys create`; or the token of a session (`gs_…`), from
   * `POST /login`. It is sent as a bearer token (RFC 6750 §2.1). Without it, only the credentials of the platform are sent: on
   * a page of the console, the session's cookie.
   */
  readonly apiKey?: string | undefined
  /** Sends the requests; default: the platform's `fetch`. For timeouts, proxies and retries. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined
}

/**
 * A client of one Gatehouse, typed by its OpenAPI document: paths, parameters, bodies and answers.
 *
 * A call resolves to `{ data, response }` after success and to `{ error, response }` after an error answer. `error` is `{
 * message, code }` (docs/errors.md lists the codes); with status 422 it is a {@link ValidationError}, which also has
 * `errors`: every failing field with its messages, unless the request conflicts with something else than its fields (2FA that
 * is on already, a used `Idempotency-Key`). If the error is not from Gatehouse (a proxy's 502, for example), its code is
 * `unreadable_answer`. A call rejects only if no answer arrives, or only a part of one, with the reason of `fetch`.
 *
 * `data` is an object where the answer is JSON, and text where it is another type: CSV, NDJSON, a page. `parseAs: 'text'` gives
 * the text of any answer, `parseAs: 'stream'` the bytes as they arrive, for large files.
 *
 * Timestamps are strings `YYYY-MM-DD HH:MM:SS` in UTC, dates `YYYY-MM-DD`; unset values are `null`.
 */
export function createClient({ baseUrl, apiKey, fetch }: ClientOptions): Client {
  const headers = { accept: 'application/json', ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }) }
  const client = createFetchClient<paths, Json>({
    baseUrl,
    bodySerializer: serialize,
    headers,
    ...(fetch === undefined ? {} : { fetch }),
  })
  const calls = Object.fromEntries(methods.map((method) => [method, byType(client[method] as UntypedCall)]))
  const typed = { ...client, ...calls } as unknown as Omit<Client, 'events'>
  return {
    ...typed,
    async *events(options = {}) {
      new Request(baseUrl, { headers }) // throws if no request can be made, which the feed would take for a failing network
      yield* readFeed(typed, options)
    },
  }
}

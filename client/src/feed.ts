import type { Client } from './index.ts'
import type { GatehouseEvent } from './webhooks.ts'

export interface FeedOptions {
  /** A `cursor` from before; without it the feed begins with the oldest event that is kept. */
  readonly after?: string | undefined
  /** Names of events, `user.*` for all that begin like that; default: all. */
  readonly types?: readonly string[] | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

export interface FedEvent {
  readonly event: GatehouseEvent
  /** Store it when the event is dealt with, to go on after it. */
  readonly cursor: string
}

/** Seconds between two requests of the same feed that found nothing. */
const waitSeconds = 30
const longestPauseMs = 30_000

/** Gatehouse refuses the request (a wrong cursor or type, no permission), or something other than Gatehouse answers. */
export class FeedError extends Error {
  override readonly name = 'FeedError'
  readonly status: number
  /** As in the `error` of other calls: `forbidden`, `invalid_cursor`, …; `unreadable_answer` where the answer is not from the feed. */
  readonly code: string
  constructor(status: number, { message, code }: { readonly message: string; readonly code: string }) {
    super(message)
    this.status = status
    this.code = code
  }
}

const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, signal?.aborted === true ? 0 : ms)
    signal?.addEventListener('abort', end)
  })

/**
 * A signal for one request, aborted by the given one until `release` is called. `fetch` leaves its listeners on a signal until
 * they are garbage-collected: thousands of requests with the same signal make Node warn about a leak.
 */
function signalOfRequest(signal: AbortSignal | undefined): {
  readonly signal: AbortSignal
  readonly release: () => void
} {
  const request = new AbortController()
  const abort = () => request.abort()
  signal?.addEventListener('abort', abort)
  return { signal: request.signal, release: () => signal?.removeEventListener('abort', abort) }
}

/** See `Client.events`. */
export async function* readFeed(
  client: Pick<Client, 'GET'>,
  { after, types = [], signal }: FeedOptions,
): AsyncGenerator<FedEvent, void, undefined> {
  const isOver = () => signal?.aborted === true
  let cursor = after ?? ''
  for (let failures = 0; !isOver(); ) {
    const query = {
      wait: String(waitSeconds),
      ...(cursor === '' ? {} : { after: cursor }),
      ...(types.length === 0 ? {} : { types: types.join(',') }),
    }
    const request = signalOfRequest(signal)
    const answer = await client
      .GET('/events', { params: { query }, signal: request.signal })
      .catch(() => undefined)
      .finally(request.release)
    const status = answer?.response.status ?? 0
    if (status === 200 && !Array.isArray(answer?.data?.data))
      throw new FeedError(status, {
        message: 'What answers is not a feed of events: is the base URL right?',
        code: 'unreadable_answer',
      })
    if (answer?.data === undefined) {
      if (answer?.error !== undefined && status >= 400 && status < 500 && status !== 429 && status !== 408)
        throw new FeedError(status, answer.error)
      failures++
      const asked = Number(answer?.response.headers.get('retry-after')) * 1_000 || 0 // a date is not counted
      await pause(Math.min(longestPauseMs, Math.max(asked, 250 * 2 ** failures)), signal)
      continue
    }
    failures = 0
    const { data, meta } = answer.data
    for (const [index, event] of data.entries()) {
      const isLast = index === data.length - 1 // this also skips the later events that do not match
      yield { event, cursor: isLast ? meta.next_cursor : (meta.cursors[index] ?? cursor) }
      if (isOver()) return
    }
    cursor = meta.next_cursor
  }
}

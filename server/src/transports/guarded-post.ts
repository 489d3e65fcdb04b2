import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Dispatcher, Pool } from 'undici'
import { type Network, refusalOf } from '../core/address-guard.ts'
import { hostOf } from '../core/addresses.ts'
import { onceResolved } from '../core/once-resolved.ts'

/** Time limit for a whole exchange: look-up, connection, TLS, request and answer. */
const tryMs = 15_000
const longestAnswer = 16 * 1024
/** Connections to one host and port, of all webhooks together: enough for several that never answer and those beside them. */
const socketsPerHost = 100
/** How long a connection is kept that nobody uses. */
const idleMs = 30_000

/** The result of a request. */
export interface Posted {
  /** Null where no answer came. */
  readonly status: number | null
  /** Why it failed; null where an answer came. */
  readonly error: string | null
  /** The start of the answer's body. */
  readonly answer: string | null
  readonly durationMs: number
}

/** Resolves a name to all of its addresses. */
export type Resolve = (
  host: string,
  done: (error: Error | null, addresses: readonly { address: string; family: number }[]) => void,
) => void

const resolveBySystem: Resolve = (host, done) => systemLookup(host, { all: true, verbatim: true }, done)

export interface GuardedPoster {
  readonly post: (url: string, headers: Record<string, string>, body: string) => Promise<Posted>
  readonly close: () => void
}

/** The connections to one host and port. */
interface Host {
  readonly pool: Pool
  /** How many exchanges are under way. */
  busy: number
  /** Begin the next ones. */
  readonly waiting: (() => void)[]
}

/** Loaded with the first message, because it takes 16 MB. The entry of the package would take 31, and three times as long. */
const loadPool = onceResolved(async () => (await import('undici/lib/dispatcher/pool.js')).default)

/**
 * Posts to addresses that users have entered. Every address that a name resolves to is checked, and the connection is made to
 * one of those that were checked: a name that resolves to another one later changes nothing. Redirects are not followed.
 */
export function createGuardedPoster(networks: readonly Network[], resolve: Resolve = resolveBySystem): GuardedPoster {
  /** Stands where Node would look the name up, so that there is no second look-up. */
  const guardedLookup =
    (isEncrypted: boolean): LookupFunction =>
    (host, options, callback) => {
      resolve(host, (error, addresses) => {
        const [first] = addresses ?? []
        if (error !== null || first === undefined) return callback(error ?? new Error('ENOTFOUND'), '', 0)
        const refusal = addresses.map(({ address }) => refusalOf(address, isEncrypted, networks)).find(Boolean)
        if (refusal !== undefined) return callback(new Error(refusal), '', 0)
        if (options.all === true) callback(null, [...addresses])
        else callback(null, first.address, first.family)
      })
    }

  const hosts = new Map<string, Host>()

  function open(UndiciPool: typeof Pool, url: URL): Host {
    const isEncrypted = url.protocol === 'https:'
    const name = hostOf(url)
    // A bare address is never looked up.
    const refusal = isIP(name) === 0 ? undefined : refusalOf(name, isEncrypted, networks)
    if (refusal !== undefined) throw new Error(refusal)
    const pool = new UndiciPool(url.origin, {
      connect: { lookup: guardedLookup(isEncrypted), timeout: tryMs },
      connections: socketsPerHost,
      pipelining: 1,
      keepAliveTimeout: idleMs,
      maxHeaderSize: longestAnswer,
      headersTimeout: 0, // `tryMs` is for everything
      bodyTimeout: 0,
    })
    const host: Host = { pool, busy: 0, waiting: [] }
    function forgetUnused(): void {
      if (host.busy > 0 || pool.stats.connected > 0 || hosts.get(url.origin) !== host) return
      hosts.delete(url.origin)
      pool.destroy()
    }
    const later = () => setImmediate(forgetUnused)
    pool.on('disconnect', later).on('connectionError', later)
    hosts.set(url.origin, host)
    return host
  }

  async function post(address: string, headers: Record<string, string>, body: string): Promise<Posted> {
    const begun = performance.now()
    const took = () => Math.round(performance.now() - begun)
    try {
      const UndiciPool = await loadPool()
      const url = new URL(address)
      const host = hosts.get(url.origin) ?? open(UndiciPool, url)
      const path = url.pathname + url.search
      const request = { method: 'POST', path, headers: { ...authorizationOf(url), ...headers }, body } as const
      return { ...(await send(host, request)), durationMs: took() }
    } catch (error) {
      return { ...failure(error), durationMs: took() }
    }
  }

  return {
    post,
    close: () => {
      for (const { pool } of hosts.values()) pool.destroy()
      hosts.clear()
    },
  }
}

type Result = Omit<Posted, 'durationMs'>

/** All that undici says where an endpoint sends `100 Continue`. It closes the connection, so the final answer is never read. */
const refusedContinue = 'bad response'

function failure(error: unknown): Result {
  const { code, message } = error as NodeJS.ErrnoException
  if (message === refusedContinue)
    return { status: null, error: 'The endpoint sent 100 Continue, which no request asks for.', answer: null }
  return { status: null, error: code === undefined || code.startsWith('UND_ERR') ? message : code, answer: null }
}

/** What a URL such as `https://name:password@example.com` stands for. */
function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(words).toString('base64')}` }
}

/** Sends a request when a connection is free. Its result is known within the time limit, whatever becomes of the connection. */
function send(host: Host, request: Dispatcher.DispatchOptions): Promise<Result> {
  const { promise, resolve } = Promise.withResolvers<Result>()
  let isOver = false
  let controller: Dispatcher.DispatchController | undefined
  let status = 0
  let length = 0
  const chunks: Buffer[] = []

  function settle(result: Result): void {
    isOver = true
    clearTimeout(timer)
    resolve(result)
  }
  function settleAnswered(): void {
    settle({ status, error: null, answer: Buffer.concat(chunks).subarray(0, longestAnswer).toString('utf8') })
  }
  /** The connection is free again, or closed. */
  function giveBack(): void {
    const next = host.waiting.shift()
    if (next === undefined) host.busy--
    else next()
  }
  const timer = setTimeout(() => {
    settle(failure(new Error(`No whole answer within ${tryMs / 1_000} s.`)))
    controller?.abort(new Error('too late'))
  }, tryMs)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart: (started) => {
      controller = started
      if (isOver) started.abort(new Error('too late'))
    },
    onResponseStart: (_controller, code) => {
      status = code
    },
    onResponseData: (started, chunk) => {
      chunks.push(chunk)
      length += chunk.length
      if (length < longestAnswer) return
      settleAnswered()
      started.abort(new Error('long enough')) // closes the connection
    },
    onResponseEnd: () => {
      settleAnswered()
      giveBack()
    },
    onResponseError: (_controller, error) => {
      settle(failure(error))
      giveBack()
    },
  }

  function begin(): void {
    if (isOver) {
      giveBack()
      return
    }
    try {
      host.pool.dispatch(request, handler)
    } catch (error) {
      settle(failure(error))
      giveBack()
    }
  }
  if (host.busy === socketsPerHost) host.waiting.push(begin)
  else {
    host.busy++
    begin()
  }
  return promise
}

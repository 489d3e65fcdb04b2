import { lookup as systemLookup } from 'node:dns'
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type Network, refusalOf } from '../core/address-guard.ts'
import { hostOf } from '../core/addresses.ts'
import { withTimeLimit } from '../core/time-limit.ts'

/** Time limit for a whole exchange: look-up, connection, TLS, request and answer. */
const tryMs = 15_000
const longestAnswer = 16 * 1024
/** Connections to one host and port, of all webhooks together: enough for several that never answer and those beside them. */
const socketsPerHost = 100

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

  const common = {
    keepAlive: true,
    maxSockets: socketsPerHost,
    maxFreeSockets: 10, // as many as a worker uses at once: fewer would be opened again and again
    timeout: 30_000,
    scheduling: 'lifo',
  } as const
  const plain = new HttpAgent({ ...common, lookup: guardedLookup(false) })
  const encrypted = new HttpsAgent({ ...common, lookup: guardedLookup(true) })

  function open(url: URL, headers: Record<string, string>, signal: AbortSignal): ClientRequest {
    const options = { method: 'POST', headers, signal, maxHeaderSize: longestAnswer }
    const isEncrypted = url.protocol === 'https:'
    const host = hostOf(url)
    // A bare address is never looked up.
    const refusal = isIP(host) === 0 ? undefined : refusalOf(host, isEncrypted, networks)
    if (refusal !== undefined) throw new Error(refusal)
    return isEncrypted
      ? httpsRequest(url, { ...options, agent: encrypted })
      : httpRequest(url, { ...options, agent: plain })
  }

  async function post(url: string, headers: Record<string, string>, body: string): Promise<Posted> {
    const begun = performance.now()
    const took = () => Math.round(performance.now() - begun)
    return withTimeLimit(tryMs, async (signal) => {
      try {
        const request = open(new URL(url), { ...headers, 'content-length': String(Buffer.byteLength(body)) }, signal)
        const response = await answerOf(request, body)
        const answer = await readStart(response)
        return { status: response.statusCode ?? 0, error: null, answer, durationMs: took() }
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        const why = signal.aborted ? `No whole answer within ${tryMs / 1_000} s.` : (code ?? message)
        return { status: null, error: why, answer: null, durationMs: took() }
      }
    })
  }

  return {
    post,
    close: () => {
      plain.destroy()
      encrypted.destroy()
    },
  }
}

const answerOf = (request: ClientRequest, body: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
    // Node tells nothing else of an answer that switches protocols.
    request.once('close', () => reject(new Error('The connection was closed without an answer.')))
    request.end(body)
  })

/** The start of the body. A longer one is not read to the end. */
async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk as Buffer)
    length += (chunk as Buffer).length
    if (length >= longestAnswer) break // closes the connection
  }
  return Buffer.concat(chunks).subarray(0, longestAnswer).toString('utf8')
}

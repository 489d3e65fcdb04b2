import type { IncomingMessage } from 'node:http'

/** How much a refused client may still send so that it reads the answer, in bytes; then the connection is cut. */
const maxDiscardedBytes = 16 * 1024 * 1024
const maxDiscardMs = 10_000
/** Limit on the number of chunks: each costs time, even one of a single byte. */
const leastChunkBytes = 4096

export interface BodyLimits {
  readonly maxBytes: number
  readonly withinMs: number
  readonly tooLong: () => Error
  readonly tooSlow: () => Error
}

/** Watches a body that somebody else reads. `failed` never resolves: it rejects when the body is too long or too slow. */
export function watchBody(raw: IncomingMessage, limits: BodyLimits): { failed: Promise<never>; stop: () => void } {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {}) // whoever has stopped watching does not want to know
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > limits.maxBytes) reject(limits.tooLong())
  }
  const deadline = setTimeout(() => reject(limits.tooSlow()), limits.withinMs)
  raw.on('data', count)
  const stop = () => {
    clearTimeout(deadline)
    raw.off('data', count)
  }
  return { failed, stop }
}

/** Whether the connection ends with this answer, because the client asked for it. */
const closesAfterwards = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')

/**
 * Throws the unread rest of a body away, within bounds: most clients read no answer before they have sent everything.
 * Where the connection closes with the answer, wait for the promise before giving it: closing on what is still unread
 * would take the answer back (RFC 9112 §9.6). Elsewhere it resolves at once, and the client is cut off if it goes on.
 */
export function discardRest(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return Promise.resolve()
  const { promise, resolve } = Promise.withResolvers<void>()
  const isLast = closesAfterwards(raw)
  let left = maxDiscardedBytes
  const giveUp = isLast ? resolve : () => raw.destroy()
  const deadline = setTimeout(giveUp, maxDiscardMs).unref()
  const done = () => {
    clearTimeout(deadline)
    resolve()
  }
  raw.unpipe()
  raw.on('data', (chunk: Buffer) => {
    left -= Math.max(chunk.length, leastChunkBytes)
    if (left < 0) giveUp()
  })
  raw.once('end', done).once('close', done)
  raw.resume()
  if (!isLast) resolve()
  return promise
}

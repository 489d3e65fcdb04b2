import type { IncomingMessage } from 'node:http'

/** How many more bytes a refused client may send before the connection is closed, so that it can read the answer. */
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

/** Watches a body that other code reads. `failed` never resolves: it rejects if the body is too long or too slow. */
export function watchBody(raw: IncomingMessage, limits: BodyLimits): { failed: Promise<never>; stop: () => void } {
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {}) // nobody may be waiting for it any more
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

/** True if the connection ends with this answer because the client asked for it. */
const closesAfterwards = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.0' || /\bclose\b/i.test(headers.connection ?? '')

/**
 * Discards the unread rest of a body, within limits: most clients read no answer before they have sent everything. If the
 * connection closes with the answer, wait for the promise before answering: closing with unread data would lose the answer
 * (RFC 9112 §9.6). Otherwise it resolves at once, and a client that sends too much is disconnected.
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

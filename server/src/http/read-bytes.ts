import type { IncomingMessage } from 'node:http'
import { errors } from '../core/errors.ts'

export interface ReadLimits {
  readonly maxBytes: number
  readonly withinMs: number
  /** Called with the number of bytes as they arrive, or once if the length is announced; throws to refuse them. */
  readonly admit: (bytes: number) => void
}

/** A refusal, and whether the connection ends with it: expensive clients are disconnected. */
export interface Refusal {
  readonly error: Error
  readonly cuts: boolean
}

/** Limit on the number of chunks: each costs time, even one of a single byte. Small bodies may arrive byte by byte. */
const maxPieces = 1_024
const leastPieceBytes = 64

const tooManyPieces = () => errors.payload_too_large('The request body comes in too many pieces.')
const tooLarge = (maxBytes: number) =>
  errors.payload_too_large(`The request body must not be larger than ${maxBytes / 1024} KiB.`)

/** Discards the rest of an unread body. */
const ignore = () => {}

/** True if a request announces a body. */
export const announcesBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Throws if a body must be refused before any of it is read. */
function checkAnnounced(raw: IncomingMessage, { maxBytes, admit }: ReadLimits): number | undefined {
  if (raw.destroyed) throw errors.malformed_request() // a client that has already disconnected emits no event
  const length = raw.headers['content-length']
  if (length === undefined) return undefined
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  admit(Number(length))
  return Number(length)
}

/**
 * Reads a whole body into memory, limited in bytes, chunks and time. `done` is called once, with the bytes or the error. The
 * caller has to discard the unread rest.
 */
export function readBytes(raw: IncomingMessage, limits: ReadLimits, done: (result: Buffer | Refusal) => void): void {
  try {
    collect(raw, checkAnnounced(raw, limits), limits, done)
  } catch (error) {
    done({ error: error as Error, cuts: false })
  }
}

function collect(
  raw: IncomingMessage,
  announced: number | undefined,
  { maxBytes, withinMs, admit }: ReadLimits,
  done: (result: Buffer | Refusal) => void,
): void {
  const pieces: Buffer[] = []
  let length = 0
  const finish = (result: Buffer | Refusal) => {
    clearTimeout(deadline)
    raw.off('data', onData).off('end', onEnd).off('error', onGone).off('close', onGone).on('error', ignore)
    done(result)
  }
  const refuse = (error: Error, cuts = false) => finish({ error, cuts })
  const onData = (piece: Buffer) => {
    pieces.push(piece)
    length += piece.length
    try {
      if (length > maxBytes) throw tooLarge(maxBytes)
      if (pieces.length > maxPieces) refuse(tooManyPieces(), true)
      else if (announced === undefined) admit(Math.max(piece.length, leastPieceBytes))
    } catch (error) {
      refuse(error as Error)
    }
  }
  const onEnd = () => {
    if (announced === undefined || length === announced)
      finish(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, length))
    else refuse(errors.malformed_request('The request body is shorter or longer than its Content-Length.'))
  }
  const onGone = () => refuse(errors.malformed_request())
  const deadline = setTimeout(() => refuse(errors.request_timeout(), true), withinMs)
  raw.on('data', onData).on('end', onEnd).on('error', onGone).on('close', onGone)
}

import type { IncomingMessage } from 'node:http'
import { errors } from '../../core/errors.ts'

const maxLength = 255
/** A string of RFC 8941, as the IETF draft writes the key … */
const quotedForm = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/
/** … and the bare text that most clients send. */
const bareForm = /^[\x21\x23-\x7e][\x20-\x7e]*$/

const malformed = () =>
  errors.malformed_request(
    `The Idempotency-Key header must be sent once, with 1 to ${maxLength} printable ASCII characters.`,
  )

/** The key of a request; undefined if none was sent. Throws `malformed_request` (400) for an invalid key. */
export function idempotencyKeyOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const value = headers['idempotency-key']
  if (value === undefined) return undefined
  const names = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'idempotency-key')
  if (typeof value !== 'string' || names.length !== 1) throw malformed()
  const key = quotedForm.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? bareForm.exec(value)?.[0]
  if (key === undefined || key === '' || key.length > maxLength) throw malformed()
  return key
}

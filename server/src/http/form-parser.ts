import { Busboy, type BusboyConfig, type BusboyHeaders } from '@fastify/busboy'
import { errors } from '../core/errors.ts'

export type FormParser = InstanceType<typeof Busboy>

/** The size of one write to the parser: at most about two hundred parts. */
const pieceBytes = 2_048

export const malformedForm = () => errors.malformed_request('The request body is not a whole form.')

/** A parser of `multipart/form-data`; throws `malformed_request` without a boundary. */
export function createFormParser(contentType: string, options: Omit<BusboyConfig, 'headers'>): FormParser {
  try {
    return new Busboy({ ...options, headers: { 'content-type': contentType } as BusboyHeaders })
  } catch {
    throw malformedForm()
  }
}

/** Splits bytes into small writes. The parser does not stop at its limits, so its caller stops writing. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
}

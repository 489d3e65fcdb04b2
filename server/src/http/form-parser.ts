import { Busboy, type BusboyConfig, type BusboyHeaders } from '@fastify/busboy'
import { errors } from '../core/errors.ts'

export type FormParser = InstanceType<typeof Busboy>

/** So much of a form is parsed at once: at most some two hundred parts. */
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

/** What a parser is given one after another: it parses all that it has, also after one of its limits is reached. */
export function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes)
}

import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { errors } from '../core/errors.ts'

/** `application/json`, with no charset or UTF-8 (RFC 8259 has no other). */
const json = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  if (!isUtf8(bytes)) throw errors.malformed_request('The request body is not valid UTF-8.')
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, '')) ?? {}
  } catch {
    throw errors.malformed_request('The request body is not valid JSON.')
  }
}

/** JSON is the one body type; an empty body under it counts as `{}`, for clients send it so with DELETE. */
export function acceptJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^application\/json/i, { parseAs: 'buffer' }, (request, bytes, done) => {
    if (!json.test(request.headers['content-type'] ?? '')) return done(errors.unsupported_media_type())
    try {
      done(null, parse(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

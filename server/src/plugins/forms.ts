import type { FastifyInstance } from 'fastify'
import { errors } from '../core/errors.ts'

/** A form of so much that nobody reads. */
const maxFormBytes = 16 * 1024

/** A scope for routes that take a form in place of JSON and read nothing of it. */
export function acceptForms(app: FastifyInstance, addRoutes: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const type of [/^application\/x-www-form-urlencoded\b/i, /^multipart\/form-data\b/i])
      scope.addContentTypeParser(type, { parseAs: 'buffer', bodyLimit: maxFormBytes }, (_request, _body, done) =>
        done(null, {}),
      )
    scope.addContentTypeParser('*', (_request, _body, done) =>
      done(errors.unsupported_media_type('The request body must be a form.')),
    )
    addRoutes(scope)
  })
}

/** A page without scripts, whose forms go nowhere but here. */
export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
}

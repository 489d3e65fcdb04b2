import type { FastifyInstance } from 'fastify'
import { apiPrefix } from './route.ts'

const methods = 'GET, HEAD, POST, PUT, PATCH, DELETE'
/** The request headers that such applications may send in addition to those that browsers always allow. */
const requestHeaders =
  'Authorization, Content-Type, Content-Encoding, Accept, Idempotency-Key, Last-Event-ID, X-Requested-With'
const exposedHeaders = 'X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After'
const preflightSeconds = 600

/**
 * Lets browser applications on these origins call the API with a bearer credential (Fetch standard, CORS protocol). Cookies
 * are never allowed: an answer to the cookie is only for our own pages.
 */
export function allowOrigins(app: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const allowed = new Set(origins)
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers
    const url = request.routeOptions.url // none if there is no such route: its 404 may be read, too
    if (url !== undefined && !url.startsWith(apiPrefix)) return done()
    reply.header('vary', 'origin')
    if (origin === undefined || !allowed.has(origin)) return done()
    reply.header('access-control-allow-origin', origin)
    const isPreflight = request.method === 'OPTIONS' && 'access-control-request-method' in request.headers
    if (!isPreflight || request.is404) {
      reply.header('access-control-expose-headers', exposedHeaders)
      return done()
    }
    reply
      .headers({
        'access-control-allow-methods': methods,
        'access-control-allow-headers': requestHeaders,
        'access-control-max-age': preflightSeconds,
      })
      .status(204)
      .send()
  })
}

import type { FastifyInstance } from 'fastify'
import type { Span, Telemetry } from '../core/telemetry.ts'
import type { IsTrusted } from './peers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null where no traces are collected. */
    span: Span | null
  }
}

/**
 * A span for each request, under its route's pattern: paths and queries may contain a token. Only a trusted proxy's
 * `traceparent` is continued: anybody else could put their requests into the traces of others, or switch recording off.
 */
export function traceRequests(app: FastifyInstance, telemetry: Telemetry, isTrusted: IsTrusted | false): void {
  app.decorateRequest('span', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { id, method, headers, raw, routeOptions } = request
    const isContinued = isTrusted !== false && isTrusted(raw.socket.remoteAddress ?? '', 0)
    const route = routeOptions.url
    const span = telemetry.beginRequest(route === undefined ? method : `${method} ${route}`, isContinued ? headers : {})
    span.note({ 'http.request.method': method, 'gatehouse.request_id': id })
    if (route !== undefined) span.note({ 'http.route': route })
    request.span = span
    span.run(done)
  })
  // A body arrives in events of the connection, which are outside of the span.
  app.addHook('preValidation', ({ span }, _reply, done) => (span === null ? done() : span.run(done)))
  app.addHook('onResponse', ({ span }, { statusCode }, done) => {
    span?.note({ 'http.response.status_code': statusCode })
    span?.end(statusCode >= 500)
    done()
  })
}

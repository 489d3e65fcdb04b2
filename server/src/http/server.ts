import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { type FastifyInstance, type FastifyReply, fastify, type RouteOptions } from 'fastify'
import type { Config } from '../config.ts'
import { type Log, silentLog } from '../core/context.ts'
import { errors } from '../core/errors.ts'
import { noSiblings, type Siblings } from '../core/siblings.ts'
import type { Telemetry } from '../core/telemetry.ts'
import { type Clock, systemClock } from '../core/time.ts'
import { readBodies } from './body.ts'
import { allowOrigins } from './cors.ts'
import { drainConnections } from './drain.ts'
import { answerError } from './errors.ts'
import { addSecurityHeaders, securityHeaders } from './headers.ts'
import { cleanForwardedFor, namePeers, requestIds, trustedProxies } from './peers.ts'
import { logRequest, logRequests } from './request-log.ts'
import { traceRequests } from './request-spans.ts'
import { createSchemaController } from './schema-controller.ts'
import { components } from './schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of the server, as it was registered. */
    routeTable: RouteOptions[]
    /** Answers a browser that asks for an unknown page; undefined if it is not a browser. */
    missingPage: (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined
    /** The log for requests and their errors; Fastify's own logger would create a child for each request. */
    requestLog: Log
  }
}

/** Time limit for receiving a whole request: a file of 4 GiB. Bodies of other routes have limits of their own. */
const requestTimeoutMs = 6 * 3_600_000
const maxIdLength = 200

/** For an address that Node's parser refuses. Old clients send letters that are not ASCII unencoded. */
const malformedAddress =
  'The request is malformed: in its address, what is not ASCII must be percent-encoded (ë is %C3%AB).'

/** Answers non-HTTP data on the bare socket and closes it: it never becomes a request. */
function refuseMalformedHttp(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const message = error.code === 'HPE_INVALID_URL' ? malformedAddress : errors.malformed_request().message
  const body = JSON.stringify({ message, code: 'malformed_request' })
  socket.end(
    `HTTP/1.1 ${tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'}\r\n` +
      `X-Request-Id: ${randomUUID()}\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n` +
      `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

/** RFC 9112 §3.2: a request without Host is 400, and so is one with two, because a proxy may have used the other. */
function hasOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1')
}

function requireOneHost(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (hasOneHost(raw)) return done()
    reply.header('connection', 'close') // the rest of the connection cannot be trusted either
    done(errors.malformed_request())
  })
}

export interface ServerOptions {
  readonly clock?: Clock
  /** Time limit for a request's body before the answer is 408, in milliseconds. */
  readonly bodyTimeoutMs?: number
  readonly siblings?: Siblings
  readonly telemetry?: Telemetry | undefined
}

export const defaultBodyTimeoutMs = 30_000

/** Creates a Fastify instance with our body parsing, error answers and headers; no routes yet. */
export function createServer(
  config: Config,
  log: Log = silentLog,
  { clock = systemClock, bodyTimeoutMs = defaultBodyTimeoutMs, siblings = noSiblings, telemetry }: ServerOptions = {},
): FastifyInstance {
  const isTrusted = trustedProxies(config.trustProxy)
  const app = fastify({
    logger: false, // we log one line for each request instead: request-log.ts
    requestTimeout: requestTimeoutMs,
    trustProxy: isTrusted,
    genReqId: requestIds(isTrusted),
    requestIdHeader: false,
    return503OnClosing: false, // a draining server still answers the requests that it has accepted
    routerOptions: {
      maxParamLength: maxIdLength,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      querystringParser: () => ({}), // queries are read as URLSearchParams, by the code that needs them
    },
    http: { requireHostHeader: false }, // Node would answer a bare 400 itself; requireOneHost does it instead
    clientErrorHandler: refuseMalformedHttp,
    schemaController: createSchemaController(),
    // Undecodable paths match no route, so no hook runs for them.
    frameworkErrors: (error, request, reply) => {
      reply.headers(securityHeaders(config.publicUrl, request.id))
      if (!hasOneHost(request.raw)) reply.header('connection', 'close')
      answerError(hasOneHost(request.raw) ? error : errors.malformed_request(), request, reply as never)
      logRequest(request, reply as never)
    },
  }) as unknown as FastifyInstance

  // An unknown expectation may be ignored (RFC 9110 §10.1.1); Node would answer a bare 417 itself.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  // No protocol upgrades. After such a request, Node's parser would swallow the errors of what follows: no answer, no end.
  app.server.prependListener('request', ({ headers }, response) => {
    if (headers.upgrade !== undefined) response.shouldKeepAlive = false
  })
  namePeers(app, config)
  app.decorate('routeTable', [])
  app.decorate('missingPage', () => undefined)
  app.decorate('requestLog', log)
  app.addHook('onRoute', (route) => {
    app.routeTable.push(route)
  })
  if (isTrusted !== false) {
    app.addHook('onRequest', ({ raw }, _reply, done) => {
      cleanForwardedFor(raw)
      done()
    })
  }
  if (telemetry !== undefined) traceRequests(app, telemetry, isTrusted)
  addSecurityHeaders(app, config.publicUrl)
  allowOrigins(app, config.corsOrigins)
  logRequests(app)
  drainConnections(app)
  requireOneHost(app)
  readBodies(app, { config, clock, timeoutMs: bodyTimeoutMs, siblings })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    if (app.missingPage(request, reply) === undefined) answerError(errors.not_found(), request, reply)
  })
  for (const schema of components.values()) app.addSchema(schema)
  return app
}

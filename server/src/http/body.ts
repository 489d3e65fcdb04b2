import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { errors, validationFailed } from '../core/errors.ts'
import type { Siblings } from '../core/siblings.ts'
import type { Clock } from '../core/time.ts'
import { createBodyBudget } from './anonymous-bodies.ts'
import { discardRest } from './body-watch.ts'
import { cookieOf } from './cookies.ts'
import { readMultipart, readUrlencoded } from './form-fields.ts'
import { findJsonExcess, type JsonExcess, jsonLimits } from './json-limits.ts'
import { type BodyKind, isForm, kindOf } from './media-types.ts'
import { announcesBody, type Refusal, readBytes } from './read-bytes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Maximum size of the body; default: 64 KiB. */
    maxBodyBytes?: number
    /** Bodies other than fields: a file that the route reads itself, or a form that is not read. */
    bodyIs?: 'file' | 'unread form'
  }
  interface FastifyInstance {
    /** Maximum time from the first byte of a body to its last. */
    bodyTimeoutMs: number
  }
}

const defaultMaxBytes = 64 * 1024
const unreadMaxBytes = 16 * 1024
/** The highest limit that a route may set: parsing must not delay other requests. */
export const largestMaxBodyBytes = 256 * 1024

/** What Fastify accepts as a media type; it would answer anything else itself. */
const readableType = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/

const excesses: Record<JsonExcess, string> = {
  depth: `The body must not be nested deeper than ${jsonLimits.depth} levels.`,
  keys: `The body must not have more than ${jsonLimits.keys} keys.`,
  elements: `The body must not have more than ${jsonLimits.elements} list elements.`,
}

function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw errors.malformed_request('The request body is not valid UTF-8.')
  const excess = findJsonExcess(bytes)
  if (excess !== undefined) throw validationFailed({ body: [excesses[excess]] })
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
    // PHP encodes an empty array without keys as `[]`.
    return value === null || (Array.isArray(value) && value.length === 0) ? {} : value
  } catch {
    throw errors.malformed_request('The request body is not valid JSON.')
  }
}

/** A page of any site can send a form, and the browser adds the cookie. So a form is not read if the credential is a cookie. */
const isCookieForm = (request: FastifyRequest, config: Config): boolean =>
  request.headers.authorization === undefined && cookieOf(request, config) !== undefined

const parsers: Record<BodyKind, (bytes: Buffer, type: string) => unknown> = {
  json: parseJson,
  'urlencoded form': readUrlencoded,
  'multipart form': (bytes, type) => readMultipart(type, bytes),
  other: () => ({}),
}

export interface BodyOptions {
  readonly config: Config
  readonly clock: Clock
  readonly timeoutMs: number
  readonly siblings: Siblings
}

/** Reads the bodies of all routes that are added later, after their access check. */
export function readBodies(app: FastifyInstance, { config, clock, timeoutMs, siblings }: BodyOptions): void {
  const spend = createBodyBudget(clock, siblings)
  app.decorate('bodyTimeoutMs', timeoutMs)
  leaveBodies(app)
  app.addHook('preValidation', (request, reply, done) => {
    const { raw, method, actor } = request
    if (method === 'GET' || method === 'HEAD' || request.is404 || !announcesBody(raw)) return done()
    const { bodyIs, maxBodyBytes = bodyIs === undefined ? defaultMaxBytes : unreadMaxBytes } =
      request.routeOptions.config
    if (bodyIs === 'file') return done()
    const type = raw.headers['content-type']
    const kind = kindOf(type)
    const admit = (bytes: number) => {
      if (bodyIs === 'unread form' ? !isForm(kind) : kind === 'other')
        throw errors.unsupported_media_type(bodyIs && 'The request body must be a form.')
      if ((raw.headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity')
        throw errors.unsupported_media_type('The request body must not be compressed (Content-Encoding).')
      if (bodyIs === undefined && isForm(kind) && isCookieForm(request, config))
        throw errors.unsupported_media_type('With the cookie as the credential, the request body must be JSON.')
      if (actor == null) spend(request.ip, bytes)
    }
    const refuse = ({ error, cuts }: Refusal) => {
      if (cuts) reply.header('connection', 'close')
      if (cuts) done(error)
      else void discardRest(raw).then(() => done(error))
    }
    const take = (body: unknown) => {
      request.body = body
      done()
    }
    readBytes(raw, { maxBytes: maxBodyBytes, withinMs: timeoutMs, admit }, (result) => {
      if (!Buffer.isBuffer(result)) return refuse(result)
      if (bodyIs !== undefined || result.length === 0) return take({})
      let body: unknown
      try {
        body = parsers[kind](result, type ?? '')
      } catch (error) {
        return done(error as Error)
      }
      if (body instanceof Promise) body.then(take, done)
      else take(body)
    })
  })
}

/** Fastify would choose a parser by the content type and close the connection after each refusal, so it is given none. */
function leaveBodies(app: FastifyInstance): void {
  const leave = (_request: FastifyRequest, _payload: unknown, done: (error: null) => void) => done(null)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(/^/, leave)
  app.addContentTypeParser('*', leave)
  app.addHook('onRequest', ({ raw: { headers } }, _reply, done) => {
    const type = headers['content-type']
    if (type !== undefined && type !== '' && !readableType.test(type))
      headers['content-type'] = 'application/octet-stream'
    if (type === '') delete headers['content-type']
    done()
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../core/addresses.ts'
import type { Actor, Context, Origin } from '../core/context.ts'
import { errors, ServiceError } from '../core/errors.ts'
import { holds } from '../core/permissions.ts'
import { type Soon, soon } from '../core/soon.ts'
import { shareTurn } from '../db/direct.ts'
import { findApiKeyHolder, noteUse } from '../features/api-keys/api-keys.service.ts'
import { findSessionHolder, noteSessionUse } from '../features/sessions/sessions.service.ts'
import { assertSameOrigin, cookieOf } from './cookies.ts'
import { createRateLimiter } from './rate-limit.ts'

/** Any valid credential will do, whatever it permits. */
export const anyCredential = Symbol('any valid credential')

/** What a route asks of its caller; a list of permissions means any of them. */
export type Access = { public: true } | { permission: string | readonly string[] | typeof anyCredential }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    actor: Actor | null
  }
}

/** From where a request comes. */
export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  requestId: request.id,
})

/** The bearer token of the Authorization header (RFC 6750 §2.1), the only place where a credential is read. */
const bearerOf = (request: FastifyRequest): string | null =>
  /^bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

/** Who a credential stands for: an API key or a login token, in the header; else the console's cookie. */
function identify(ctx: Context, request: FastifyRequest): Soon<Actor | null> {
  const isCookie = request.headers.authorization === undefined
  const token = isCookie ? cookieOf(request, ctx.config) : bearerOf(request)
  if (token == null) return null
  const origin = originOf(request)
  if (!isCookie && token.startsWith('gh_')) {
    return soon(findApiKeyHolder(ctx, token), (holder) => {
      if (holder === undefined) return null
      noteUse(ctx, holder)
      const { userId, apiKeyId, permissions, scope } = holder
      return { userId, apiKeyId, sessionId: null, permissions, scope, origin }
    })
  }
  return soon(findSessionHolder(ctx, token), (holder) => {
    if (holder === undefined) return null
    if (isCookie) assertSameOrigin(request, ctx.config)
    noteSessionUse(ctx, holder)
    const { userId, sessionId, permissions } = holder
    return { userId, apiKeyId: null, sessionId, permissions, scope: 'all' as const, origin }
  })
}

/** Whom a rate limit counts: the credential, or a stranger's address. */
const callerOfRequest = ({ actor, ip }: FastifyRequest): string => {
  if (actor === null) return callerOf(ip)
  return actor.apiKeyId === null ? `session ${actor.sessionId}` : `key ${actor.apiKeyId}`
}

function mayCall(access: Access, actor: Actor): boolean {
  if ('public' in access || access.permission === anyCredential) return true
  const wanted = typeof access.permission === 'string' ? [access.permission] : access.permission
  return wanted.some((permission) => holds(actor.permissions, permission))
}

/** Requests per caller, and the headers that tell them (as Laravel's throttle middleware names them). */
function createThrottle(
  ctx: Context,
): (request: FastifyRequest, headers: (name: string, value: number) => unknown) => void {
  if (ctx.config.rateLimit === null) return () => {}
  const limiter = createRateLimiter(ctx.config.rateLimit, ctx.clock)
  return (request, header) => {
    const { allowed, limit, remaining, retryAfterSeconds } = limiter(callerOfRequest(request))
    header('x-ratelimit-limit', limit)
    header('x-ratelimit-remaining', remaining)
    if (!allowed)
      throw new ServiceError('too_many_attempts', 429, errors.too_many_attempts().message, { retryAfterSeconds })
  }
}

/**
 * Decides about every request of this scope before its body is read: who calls, how often, and whether they may.
 * A route that declares no access stops the start (deny by default).
 */
export function guardRoutes(app: FastifyInstance, ctx: Context): void {
  const throttle = createThrottle(ctx)
  app.decorateRequest('actor', null)
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`${route.method} ${route.url} declares no access`)
  })
  app.server.prependListener('request', () => shareTurn(ctx.db))
  app.addHook('onRequest', (request, reply, done) => {
    const access = request.routeOptions.config.access as Access
    const admit = (actor: Actor | null) => {
      request.actor = actor
      throttle(request, (name, value) => reply.header(name, value))
      if ('public' in access) return
      if (actor === null) throw errors.unauthenticated()
      if (!mayCall(access, actor)) throw errors.forbidden()
    }
    const admitted = soon('public' in access ? null : identify(ctx, request), admit)
    if (admitted === undefined) done()
    else admitted.then(() => done(), done)
  })
}

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../core/addresses.ts'
import type { Actor, Context, Origin, RequestNeeds } from '../core/context.ts'
import { errors, tooManyAttempts } from '../core/errors.ts'
import { factorErrors } from '../core/factor-errors.ts'
import { assertFreshProof } from '../core/fresh-proof.ts'
import { type MaybePromise, thenAtOnce } from '../core/maybe-promise.ts'
import { holdsAny, mayChangeOwnAccount } from '../core/permissions.ts'
import { shareReadTransaction } from '../db/direct.ts'
import { assertSameOrigin, cookieOf } from './cookies.ts'
import { createRateLimiter } from './rate-limit.ts'

/** Any valid credential is enough, whatever its permissions. */
export const anyCredential = Symbol('any valid credential')

/** What a route requires of its caller. A list of permissions means any of them. */
export type Access = { public: true } | { permission: string | readonly string[] | typeof anyCredential }

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
  }
  interface FastifyRequest {
    actor: Actor | null
    /** When the request was last admitted, by `performance.now()`. */
    admittedMs: number
  }
  interface FastifyInstance {
    /** The current holder of a request's credential, without recording a use; null if it is no longer valid. */
    lookAgain: (request: FastifyRequest) => MaybePromise<Actor | null>
    /** Throws unless the caller may still call the route, for answers that are made long after the request. */
    admitAgain: (request: FastifyRequest) => MaybePromise<void>
    /** Throws unless the session recently proved its user's identity. */
    assertFreshProof: (actor: Actor) => void
  }
}

/** The origin of a request, for the audit log. */
export const originOf = (request: FastifyRequest): Origin => ({
  ip: request.ip,
  userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
  requestId: request.id,
  claim: request.idempotency ?? null,
})

/** The bearer token of the Authorization header (RFC 6750 §2.1), the only header that is read for credentials. */
const bearerOf = (request: FastifyRequest): string | null =>
  /^bearer +([A-Za-z0-9._~+/=-]{1,512}) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? null

/** What the guard needs of the credentials; it does not know where they are stored. */
export interface Credentials<Holder> {
  /** The current holder of a credential. */
  readonly find: (token: string, kind: 'key' | 'session') => MaybePromise<Holder | undefined>
  /** Records a use of a credential. A promise is waited for before the request goes on. */
  readonly noteUse: (holder: Holder) => MaybePromise<void>
  /** The holder as the actor of a route that requires any of `needs`. */
  readonly toActor: (holder: Holder, origin: Origin, request: RequestNeeds) => Actor
}

/** All that a session can do while its user lacks a second factor that their role requires: get one, and leave. */
const factorPaths = /^\/api\/(?:me|me\/factors(?:\/.*)?|me\/2fa(?:\/.*)?|logout)$/

const ownPaths = /^\/api\/me(?:\/|$)/
const userPaths = /^\/api\/users\/:id(?:\/|$)/

/** True if a request changes the account of its sender, on any path. */
const changesOwnAccount =
  (request: FastifyRequest) =>
  (userId: number): boolean => {
    if (request.method === 'GET' || request.method === 'HEAD') return false
    const { url = '' } = request.routeOptions // Fastify makes this object each time that it is read
    return ownPaths.test(url) || (userPaths.test(url) && (request.params as { id?: string }).id === String(userId))
  }

/** The holder of the API key or login token in the header, or else of the console's cookie. */
function identify<Holder>(
  { config }: Pick<Context, 'config'>,
  credentials: Credentials<Holder>,
  request: FastifyRequest,
  needs: readonly string[],
  isUse = true,
): MaybePromise<Actor | null> {
  const isCookie = request.headers.authorization === undefined
  const token = isCookie ? cookieOf(request, config) : bearerOf(request)
  if (token == null) return null
  const kind = !isCookie && token.startsWith('gh_') ? 'key' : 'session'
  return thenAtOnce(credentials.find(token, kind), (holder) => {
    if (holder === undefined) return null
    if (isCookie) assertSameOrigin(request, config)
    return thenAtOnce(isUse ? credentials.noteUse(holder) : undefined, () =>
      credentials.toActor(holder, originOf(request), {
        needs,
        changesOwnAccount: changesOwnAccount(request),
        mayLackFactor: () => factorPaths.test(request.routeOptions.url ?? ''),
      }),
    )
  })
}

/** True if the user must get a second factor before they can do this. */
const isShutOut = (actor: Actor | null): boolean =>
  actor?.credential?.lacksFactor === true && !actor.credential.mayLackFactor

/** What limits and idempotency keys belong to: the credential, or the network of an anonymous caller. */
export const callerOf = ({ actor, ip }: FastifyRequest): string => {
  if (actor === null) return networkOf(ip)
  return actor.apiKeyId === null ? `session ${actor.sessionId}` : `key ${actor.apiKeyId}`
}

/** The permissions of which a caller needs one; none if any credential is enough. */
function needsOf(access: Access): readonly string[] {
  if ('public' in access || access.permission === anyCredential) return []
  return typeof access.permission === 'string' ? [access.permission] : access.permission
}

/** All keys and sessions of a user together get at most as many requests as this many credentials. */
const credentialsPerUser = 5

/** Limits requests per caller and sets the headers that say so (named as in Laravel's throttle middleware). */
function createThrottle(
  ctx: Context,
): (request: FastifyRequest, headers: (name: string, value: number) => unknown) => void {
  if (ctx.config.rateLimit === null) return () => {}
  const { requests, windowMs } = ctx.config.rateLimit
  const limiter = createRateLimiter({ requests, windowMs }, ctx.clock, ctx.siblings, 'requests')
  const userLimiter = createRateLimiter(
    { requests: requests * credentialsPerUser, windowMs },
    ctx.clock,
    ctx.siblings,
    'requests of users',
  )
  return (request, header) => {
    const { allowed, limit, remaining, retryAfterSeconds } = limiter(callerOf(request))
    header('x-ratelimit-limit', limit)
    header('x-ratelimit-remaining', remaining)
    if (!allowed) throw tooManyAttempts(retryAfterSeconds, limit) // which takes nothing from the user's other credentials
    const user = request.actor === null ? undefined : userLimiter(request.actor.userId)
    if (user?.allowed === false) throw tooManyAttempts(user.retryAfterSeconds, user.limit)
  }
}

/**
 * A caller is checked again if their body takes longer to arrive. This refuses early: every write checks its actor once more, in
 * its transaction.
 */
const admissionHoldsMs = 25

/**
 * Checks every request of this scope before its body is read: who calls, how often, and whether they may. If the body
 * arrives later than the headers, caller and permission are checked again. A route without a declared access prevents the
 * start (deny by default).
 */
export function guardRoutes<Holder>(app: FastifyInstance, ctx: Context, credentials: Credentials<Holder>): void {
  const throttle = createThrottle(ctx)
  app.decorateRequest('actor', null)
  app.decorateRequest('admittedMs', 0)
  app.decorate('lookAgain', (request) =>
    thenAtOnce(identify(ctx, credentials, request, [], false), (actor) => (isShutOut(actor) ? null : actor)),
  )
  app.decorate('assertFreshProof', (actor) => assertFreshProof(ctx.clock, actor))
  app.addHook('onRoute', (route) => {
    if (route.config?.access === undefined) throw new Error(`${route.method} ${route.url} declares no access`)
  })
  app.server.prependListener('request', () => shareReadTransaction(ctx.db))
  /** Sets the request's actor; throws if they may not call the route. */
  const admit = (request: FastifyRequest, meanwhile: () => void = () => {}): MaybePromise<void> => {
    const access = request.routeOptions.config.access as Access
    const needs = needsOf(access)
    return thenAtOnce('public' in access ? null : identify(ctx, credentials, request, needs), (actor) => {
      request.actor = actor
      meanwhile()
      if ('public' in access) return
      if (actor === null) throw errors.unauthenticated()
      if (isShutOut(actor)) throw factorErrors.two_factor_enrolment_required()
      if (!holdsAny(actor.permissions, needs)) throw errors.forbidden()
      if (actor.credential?.changesOwnAccount && !mayChangeOwnAccount(actor.scope)) throw errors.forbidden()
      request.admittedMs = performance.now()
    })
  }
  app.decorate('admitAgain', (request) => admit(request))
  const finish = (admitted: MaybePromise<void>, done: (error?: Error) => void): void => {
    if (admitted === undefined) done()
    else admitted.then(() => done(), done)
  }
  app.addHook('onRequest', (request, reply, done) => {
    finish(
      admit(request, () => throttle(request, (name, value) => reply.header(name, value))),
      done,
    )
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const isLate = request.actor !== null && performance.now() - request.admittedMs > admissionHoldsMs
    finish(isLate ? admit(request) : undefined, done)
  })
}

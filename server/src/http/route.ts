import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { type Actor, anonymous } from '../core/context.ts'
import type { Draft } from '../core/draft.ts'
import { errors } from '../core/errors.ts'
import { type MaybePromise, thenAtOnce } from '../core/maybe-promise.ts'
import { isStorable } from '../core/text.ts'
import { type Access, originOf } from './credentials.ts'
import type { ErrorPage } from './errors.ts'
import { JsonAnswer } from './json-answer.ts'
import { parseIncludes, parseUnpaged } from './lists/request.ts'
import { parseId } from './lists/spec.ts'
import { type Documentation, describeRoute, type SuccessStatus } from './openapi-route.ts'
import { ref, Success, succeeded } from './schemas.ts'

/** The base path of the API, below the public URL. */
export const apiPrefix = '/api'

/** What a handler gets: the caller, and the request with its shape already checked. */
export interface Call<Body> {
  readonly actor: Actor
  /** The `{id}` of the path. */
  readonly id: number
  readonly body: Draft<Body>
  readonly query: URLSearchParams
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface Route<B extends TSchema, A extends TSchema, R = Static<A>> extends Documentation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** Below `/api`, in OpenAPI notation: `/users/{id}`. */
  readonly path: string
  readonly access: Access
  /** True if a session must have proved its user's identity within the last 15 minutes. */
  readonly freshProof?: true
  readonly body?: B
  /** Maximum size of the body; default: 64 KiB. */
  readonly maxBodyBytes?: number
  /** The schema of the answer: properties that it does not name are never sent. `success`: only that it was done. */
  readonly answer: A | 'success'
  /** The page of an error, for whoever asks for `text/html`. */
  readonly errorPage?: ErrorPage
  /** Default: 200. */
  readonly status?: SuccessStatus
  readonly handle: (call: Call<Static<B>>) => MaybePromise<R | JsonAnswer>
  /**
   * Makes the answer from the result of `handle` if that is the result of its only transaction. The answer for an
   * Idempotency-Key is then stored in the same transaction.
   */
  readonly toAnswer?: (result: R) => Static<A>
}

const noQuery = new URLSearchParams()
const queryOf = ({ url }: FastifyRequest): URLSearchParams => {
  const start = url.indexOf('?')
  return start < 0 ? noQuery : new URLSearchParams(url.slice(start + 1))
}

/** Routes without pages have no sorts and no filters. */
const noList = { sorts: {}, defaultSort: '', filters: {} }

/** Refuses includes, sorts, filters and cursors that the route does not have, instead of ignoring them. */
function checkQuery({ method, list, query: own, includes = {} }: CheckedRoute, query: URLSearchParams): void {
  if (query.size === 0 || method !== 'GET' || list !== undefined) return
  if (own !== undefined) parseIncludes(includes, query)
  else parseUnpaged({ ...noList, includes }, query)
}

type CheckedRoute = Pick<Route<TSchema, TSchema>, 'method' | 'list' | 'query' | 'includes'>

/** The `{id}` of the path; throws `not_found` if it cannot be an id. */
function idOf(request: FastifyRequest): number {
  const params = request.params as Record<string, string | undefined>
  for (const name in params) {
    if (name !== 'id' && !isStorable(params[name] ?? '')) throw errors.not_found()
  }
  const { id } = params
  if (id === undefined) return 0
  const number = parseId(id)
  if (number === undefined) throw errors.not_found()
  return number
}

/** Adds a route to a scope. PUT is accepted wherever PATCH is. */
export function addRoute<B extends TSchema, A extends TSchema, R = Static<A>>(
  app: FastifyInstance,
  route: Route<B, A, R>,
): void {
  const { status = 200, toAnswer } = route
  const isSuccess = route.answer === 'success'
  const toSend = isSuccess ? () => succeeded : toAnswer
  const options: Omit<RouteOptions, 'method' | 'schema'> = {
    url: apiPrefix + route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: {
      access: route.access,
      ...(route.maxBodyBytes === undefined ? {} : { maxBodyBytes: route.maxBodyBytes }),
      ...(route.errorPage === undefined ? {} : { errorPage: route.errorPage }),
      ...(route.takesFile === true || route.takesText !== undefined
        ? { bodyIs: 'file' }
        : route.takesForm === true
          ? { bodyIs: 'unread form' }
          : {}),
    },
    handler: (request, reply) => {
      if (toAnswer !== undefined) {
        request.idempotency?.answerWith((result) => {
          const serialize = reply.getSerializationFunction(String(status)) as (answer: unknown) => string
          const headers = { 'content-type': 'application/json; charset=utf-8' }
          return { status, headers, body: serialize(toAnswer(result as R)) }
        })
      }
      const actor = request.actor ?? anonymous(originOf(request))
      if (route.freshProof) app.assertFreshProof(actor)
      const query = queryOf(request)
      checkQuery(route, query)
      return thenAtOnce(
        route.handle({
          actor,
          id: idOf(request),
          body: request.body as Draft<Static<B>>,
          query,
          request,
          reply,
        }),
        (result) => {
          reply.status(status)
          if (result instanceof JsonAnswer) {
            reply.type('application/json; charset=utf-8')
            return result.text
          }
          return toSend === undefined ? result : toSend(result)
        },
      )
    },
  }
  const schema = describeRoute({ ...route, answer: isSuccess ? ref(Success) : route.answer }, status)
  app.route({ ...options, method: route.method, schema })
  if (route.method === 'PATCH') app.route({ ...options, method: 'PUT', schema: { ...schema, hide: true } })
}

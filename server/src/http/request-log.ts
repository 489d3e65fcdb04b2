import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Logged in place of a path that matches no route. */
const noRoute = 'unknown'

/**
 * One line for each request. The path is the route's pattern: what stands in place of its parameters, or in a path that is no
 * route's, may be a token. The query is left out: search terms and addresses are nobody's business in a log.
 */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, routeOptions, ip, actor } = request
  request.server.requestLog.info(
    {
      reqId: id,
      method,
      path: routeOptions?.url ?? noRoute,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ip,
      userId: actor?.userId ?? null,
    },
    'request',
  )
}

export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply)
    done()
  })
}

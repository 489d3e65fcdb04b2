import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Logged instead of a path that matches no route. */
const noRoute = 'unknown'

/**
 * One line for each request. The path is the route's pattern: parameters, and paths that match no route, may contain a
 * token. The query is left out, because search terms and addresses do not belong in a log.
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

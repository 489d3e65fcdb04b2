import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** One line for each request. The query is left out: search terms and addresses are nobody's business in a log. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { id, method, url, ip, actor } = request
  const query = url.indexOf('?')
  request.server.requestLog.info(
    {
      reqId: id,
      method,
      path: query < 0 ? url : url.slice(0, query),
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

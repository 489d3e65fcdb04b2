import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** One line for each request. The query is left out: search terms and addresses are nobody's business in a log. */
export function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  const { method, url, ip, actor } = request
  const [path] = url.split('?')
  request.log.info(
    {
      ...{ method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10 },
      ...{ ip, userId: actor?.userId ?? null },
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

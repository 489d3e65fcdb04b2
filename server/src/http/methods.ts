import type { FastifyInstance, HTTPMethods } from 'fastify'
import { errors } from '../core/errors.ts'

const methods: HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Answers every other method on a known path with 405. Call it after all routes are added. */
export function refuseOtherMethods(app: FastifyInstance): void {
  // Node's parser accepts methods that Fastify does not know (PROPFIND, …) and would answer with 404. They are logged as TRACE.
  app.server.prependListener('request', (request) => {
    if (!methods.includes(request.method as HTTPMethods)) request.method = 'TRACE'
  })
  for (const [url, routes] of Map.groupBy(app.routeTable, (route) => route.url)) {
    if (url.includes('*')) continue
    const known = routes.flatMap(({ method }) => method)
    const allowed = methods.filter((method) => known.includes(method))
    const refused = methods.filter((method) => !allowed.includes(method))
    app.route({
      method: refused,
      url,
      config: { access: { public: true } },
      schema: { hide: true },
      // Before the body is read, so that it cannot fail for another reason first.
      onRequest: async (_request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw errors.method_not_allowed()
      },
      handler: () => {},
    })
  }
}

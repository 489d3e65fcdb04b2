import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Access } from './credentials.ts'
import { createDurations } from './request-durations.ts'

const access: Access = { permission: 'settings.general' }

/** `/metrics` in the Prometheus text format: requests by route and status, the state of the process, and what `addMore` adds. */
export function metricsRoutes(app: FastifyInstance, addMore: (registry: Registry) => void): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' })
  addMore(registry)
  const note = createDurations(registry)
  app.addHook('onResponse', (request, reply, done) => {
    note(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  app.get('/metrics', { config: { access }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  )
  app.addHook('onClose', () => registry.clear())
}

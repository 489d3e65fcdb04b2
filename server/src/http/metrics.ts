import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Siblings } from '../core/siblings.ts'
import type { Access } from './credentials.ts'
import { sumMetrics } from './metrics-sum.ts'
import { createDurations } from './request-durations.ts'

const access: Access = { permission: 'settings.general' }

/**
 * `/metrics` in the Prometheus text format: requests by route and status, the state of the process, and what `addMore` adds.
 * Those of several processes are summed, whichever answers.
 */
export function metricsRoutes(app: FastifyInstance, siblings: Siblings, addMore: (registry: Registry) => void): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' })
  addMore(registry)
  const note = createDurations(registry)
  app.addHook('onResponse', (request, reply, done) => {
    note(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  const readAll = sumMetrics(registry, siblings)
  app.get('/metrics', { config: { access }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await readAll()),
  )
  app.addHook('onClose', () => registry.clear())
}

import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Context } from '../core/context.ts'
import type { Access } from './credentials.ts'
import { sumMetrics } from './metrics-sum.ts'
import { createDurations } from './request-durations.ts'

const access: Access = { permission: 'settings.general' }

/**
 * `/metrics` in the Prometheus text format: requests by route and status, the state of the process, and what `addMore` adds.
 * Those of several processes are summed, whichever answers. To an OpenTelemetry collector each process sends its own.
 */
export function metricsRoutes(
  app: FastifyInstance,
  { siblings, telemetry, log }: Pick<Context, 'siblings' | 'telemetry' | 'log'>,
  addMore: (registry: Registry) => void,
): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'gatehouse_' })
  addMore(registry)
  const note = createDurations(registry)
  app.addHook('onResponse', (request, reply, done) => {
    note(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
  const readAll = sumMetrics(registry, siblings, log)
  app.get('/metrics', { config: { access }, schema: { hide: true } }, async (_request, reply) =>
    reply.type(registry.contentType).send(await readAll()),
  )
  const endSending = telemetry?.sendMetrics(registry)
  app.addHook('onClose', async () => {
    await endSending?.()
    registry.clear()
  })
}

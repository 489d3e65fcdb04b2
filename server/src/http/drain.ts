import type { FastifyInstance } from 'fastify'

/** Shorter than the time after which process managers kill: `docker stop` waits 10 s. */
const drainTimeoutMs = 8_000

/**
 * During a stop, accepted requests are answered and then their connection is closed: a kept-alive connection would hold the
 * process as long as its client likes. A request that never ends would do the same, so there is a time limit.
 */
export function drainConnections(app: FastifyInstance): void {
  let stopping = false
  app.addHook('preClose', async () => {
    stopping = true
    setTimeout(() => app.server.closeAllConnections(), drainTimeoutMs).unref()
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
}

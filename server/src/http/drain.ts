import type { FastifyInstance } from 'fastify'

/** Shorter than what process managers wait before they kill: `docker stop` waits 10 s. */
const drainTimeoutMs = 8_000

/**
 * What was taken before a stop is answered, and then the connection ends: one that is kept open would hold the process
 * for as long as its client likes. So would a request that never comes to its end: there the patience has a limit.
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

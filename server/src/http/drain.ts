import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server, Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on answers end their connections; requests are served as before. */
    beginStopping: () => void
    isStopping: () => boolean
  }
}

/** How long the requests of accepted connections may take after the listener has closed. */
const finishTimeoutMs = 8_000
/** How long a connection may be silent after that before it is ended: one that was used before, and a new one. */
const usedPatienceMs = 100
const newPatienceMs = 2_000
const lookEveryMs = 50

interface Use {
  active: number
  served: boolean
  /** The bytes that were read when the connection was last at rest: more of them are the beginning of a request. */
  bytesAtRest: number
}

function trackConnections(app: FastifyInstance): ReadonlyMap<Socket, Use> {
  const connections = new Map<Socket, Use>()
  // One function for all responses: each request pays for what it is given.
  function rest(this: ServerResponse<IncomingMessage>): void {
    const { socket } = this.req
    const use = connections.get(socket)
    if (use === undefined) return
    use.active--
    use.bytesAtRest = socket.bytesRead
  }
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { active: 0, served: false, bytesAtRest: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  app.server.on('request', ({ socket }, response) => {
    const use = connections.get(socket)
    if (use === undefined) return
    use.active++
    use.served = true
    response.on('close', rest)
  })
  return connections
}

/** Ends connections that stay silent. What has arrived is read and answered first: cutting it would fail a request. */
function endSilent(connections: ReadonlyMap<Socket, Use>): NodeJS.Timeout {
  const begun = performance.now()
  return setInterval(() => {
    const silentMs = performance.now() - begun
    for (const [socket, { active, served, bytesAtRest }] of connections) {
      const isSilent = active === 0 && socket.bytesRead === bytesAtRest
      if (isSilent && silentMs >= (served ? usedPatienceMs : newPatienceMs)) socket.destroySoon()
    }
  }, lookEveryMs).unref()
}

const quietTurnMs = 0.05
/** Under constant load there may be no such turn. */
const quietPatienceMs = 500

/**
 * Calls `close` right after a short turn of the event loop that found no new connection. The system resets connections that
 * it has established and the process has not accepted yet. A turn accepts one of them, so a turn without one shows that none
 * was left, and hardly any can come before the call.
 */
function afterQuietTurn(server: Server, close: () => void): void {
  const begun = performance.now()
  let before = begun
  let hasAccepted = true
  const noteAccepted = () => {
    hasAccepted = true
  }
  const look = () => {
    const now = performance.now()
    if ((!hasAccepted && now - before < quietTurnMs) || now - begun > quietPatienceMs) {
      close()
      server.off('connection', noteAccepted)
      return
    }
    hasAccepted = false
    before = now
    setImmediate(look)
  }
  server.on('connection', noteAccepted)
  createServer().close() // Node compiles what closes a server now, and not in between
  setImmediate(look)
}

/**
 * A stop has two parts. `beginStopping`: the service is not ready any more, and every answer ends its connection, so that
 * proxies go elsewhere. `close`: the listener closes, and accepted connections are finished. A request that never ends would
 * hold the process, so there is a time limit.
 */
export function drainConnections(app: FastifyInstance): void {
  let stopping = false
  const connections = trackConnections(app)
  app.decorate('isStopping', () => stopping)
  app.decorate('beginStopping', () => {
    stopping = true
  })
  // http.Server's own close would end connections whose next request has arrived and was not read yet.
  app.server.closeIdleConnections = () => {}
  const close = app.server.close.bind(app.server)
  app.server.close = (done) => {
    afterQuietTurn(app.server, () => {
      close(done)
      const looking = endSilent(connections)
      const limit = setTimeout(() => app.server.closeAllConnections(), finishTimeoutMs).unref()
      app.server.once('close', () => {
        clearInterval(looking)
        clearTimeout(limit)
      })
    })
    return app.server
  }
  app.addHook('preClose', async () => {
    stopping = true
  })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (stopping) reply.header('connection', 'close')
    done()
  })
}

import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Sends exactly these bytes to an app that listens, and reads until it closes the connection: clients make requests proper first. */
export async function sendRaw(app: FastifyInstance, bytes: string | Buffer): Promise<RawAnswer> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the app has no port')
  const socket = connect(address.port, '127.0.0.1')
  socket.write(bytes) // not `end`: Node drops requests of a half-closed connection
  const [head = '', ...body] = (await text(socket)).split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body: body.join('\r\n\r\n') }
}

/** A request without a body whose target reaches the server as it is written. */
export const sendTarget = (
  app: FastifyInstance,
  target: string,
  { method = 'GET', key = null }: { method?: string; key?: string | null } = {},
): Promise<RawAnswer> =>
  sendRaw(
    app,
    `${method} ${target} HTTP/1.1\r\nHost: gatehouse.test\r\nConnection: close\r\n${
      key === null ? '' : `Authorization: Bearer ${key}\r\n`
    }\r\n`,
  )

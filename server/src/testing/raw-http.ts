import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
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
  return parseAnswer(await text(socket))
}

function parseAnswer(answer: string): RawAnswer {
  const [head = '', ...body] = answer.split('\r\n\r\n')
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

export interface HeldRequest {
  /** Sends the rest of the body, and reads the answer. */
  readonly finish: () => Promise<RawAnswer>
}

const goOn = 'HTTP/1.1 100 Continue\r\n\r\n'

/**
 * Sends the headers of a request and half of its body. Resolves when the server has read the headers (it says so with
 * `100 Continue`) and waits for the rest.
 */
export async function holdBody(
  app: FastifyInstance,
  request: string,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<HeldRequest> {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const socket = connect({ port, host: '127.0.0.1', noDelay: true }) // else the second half may wait 40 ms for the first
  const fields = { host: 'gatehouse.test', connection: 'close', expect: '100-continue', ...headers }
  const lines = Object.entries({ ...fields, 'content-length': body.length }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`${request} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk)) // from the start: what comes before `finish` must not be lost
  socket.on('error', () => {}) // a server that has answered may close before it read everything
  const ended = new Promise((resolve) => socket.on('close', resolve))
  await once(socket, 'data')
  const receivedText = () => Buffer.concat(received).toString()
  const isWaiting = receivedText().startsWith(goOn)
  const half = Math.floor(body.length / 2)
  if (isWaiting) socket.write(body.subarray(0, half))
  return {
    finish: async () => {
      if (isWaiting) socket.write(body.subarray(half))
      await ended
      return parseAnswer(receivedText().slice(isWaiting ? goOn.length : 0))
    },
  }
}

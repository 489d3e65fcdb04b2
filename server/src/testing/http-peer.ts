import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface HttpAnswer {
  readonly status: number
  readonly body?: string
  readonly headers?: Record<string, string>
}

export interface HttpPeer {
  /** `http://127.0.0.1:…` */
  readonly url: string
  readonly requests: ReceivedRequest[]
  /** What the next requests are answered; null: nothing, ever. */
  answer: (request: ReceivedRequest) => HttpAnswer | null | Promise<HttpAnswer>
  readonly close: () => Promise<void>
}

/** A real HTTP server that notes what it is sent. Ends with the test, or when it is closed. */
export async function startHttpPeer(ends = onTestFinished): Promise<HttpPeer> {
  const requests: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request
    const received = { method, path, headers, body: await text(request) }
    requests.push(received)
    const answer = await peer.answer(received)
    if (answer !== null) response.writeHead(answer.status, answer.headers).end(answer.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const peer: HttpPeer = {
    url: `http://127.0.0.1:${port}`,
    requests,
    answer: () => ({ status: 201, body: '{}' }),
    close,
  }
  ends(close)
  return peer
}

import { Agent, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestApp } from './app.ts'
import { boundary, formHeaders } from './images.ts'

export interface Streamed {
  readonly status: number
  readonly body: { readonly code: string; readonly message: string }
  /** How many bytes had been sent when the answer was there. */
  readonly sent: number
}

/** Sends the body of an avatar's upload over a socket, in pieces, and goes on until it is answered. */
export function streamUpload(
  t: TestApp,
  pieces: Iterable<Buffer | string>,
  headers: Record<string, string | number> = {},
  keepAlive = true,
): Promise<Streamed> {
  const { port } = t.app.server.address() as AddressInfo
  return new Promise<Streamed>((done, fail) => {
    let sent = 0
    let answered = false
    const request = httpRequest({
      port,
      path: '/api/users/1/avatar',
      method: 'POST',
      agent: new Agent({ keepAlive }),
      headers: { authorization: `Bearer ${t.adminKey}`, ...formHeaders, ...headers },
    })
    request.setMaxListeners(0)
    request.on('error', (error) => (answered ? undefined : fail(error)))
    request.on('response', (response) => {
      answered = true
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        done({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()), sent })
        request.socket?.destroy() // not back to the pool
      })
    })
    const pump = async () => {
      for (const piece of pieces) {
        if (answered || request.destroyed) return
        sent += piece.length
        const more = request.write(piece)
        await new Promise((ok) => {
          if (more) setImmediate(ok)
          else request.once('drain', ok).once('close', ok)
        })
      }
      request.end()
    }
    void pump()
  })
}

/** How a form with a file begins. */
export const fileHead = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`

export function* forever(head: string, piece: Buffer | string): Generator<Buffer | string> {
  yield head
  for (;;) yield piece
}

export const megabyte = Buffer.alloc(1024 * 1024, 'a')

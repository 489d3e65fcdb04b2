import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Call } from './route.ts'

/** A client that takes nothing for this long is disconnected: it would hold a snapshot of the database. */
const idleMs = 60_000
/** How `pipeline` says that the client has closed the connection, during the answer or before. */
const hungUp: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE'])

/**
 * Answers with a stream of text. It takes the place of a route's answer, so its type is `never`. An error in the middle cuts
 * the connection, so that nobody takes a part for the whole.
 */
export async function streamText(
  { request, reply }: Pick<Call<unknown>, 'request' | 'reply'>,
  { type, name }: { readonly type: string; readonly name: string },
  source: Readable,
): Promise<never> {
  reply.hijack()
  const { raw: response } = reply
  const headers = {
    ...reply.getHeaders(),
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'x-accel-buffering': 'no',
    // Node sets it with the first piece; the answer to HEAD has none.
    ...(request.raw.httpVersion === '1.1' ? { 'transfer-encoding': 'chunked' } : {}),
  }
  for (const [header, value] of Object.entries(headers)) {
    if (value !== undefined) response.setHeader(header, value)
  }
  response.writeHead(200)
  if (request.method === 'HEAD') {
    source.destroy()
    response.end()
  } else {
    const { socket } = request.raw
    const onIdle = () => response.destroy()
    socket.setTimeout?.(idleMs)
    socket.on('timeout', onIdle)
    await pipeline(source, response).catch((err) => {
      if (!response.destroyed) response.destroy()
      if (!hungUp.has((err as NodeJS.ErrnoException).code ?? ''))
        request.server.requestLog.warn({ err, reqId: request.id }, 'a download was cut')
    })
    source.destroy() // where the client has hung up before, `pipeline` leaves it open
    socket.off('timeout', onIdle) // Node has set its own limit, for the time until the next request
  }
  return undefined as never
}

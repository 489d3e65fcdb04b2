import { createConnection } from 'node:net'
import { performance } from 'node:perf_hooks'

/** A request, and what its answer must be. Made once and sent often: its bytes and its right answer are kept. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Times are kept apart by label. */
  readonly label?: string
  /** What is wrong with the answer; undefined when it is right. */
  readonly check: (status: number, body: string) => string | undefined
  /** An answer that was found right before: the same bytes need not be read again. */
  right?: Buffer
  bytes?: Buffer
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** No request begins after so long, once `minCount` have begun. */
  readonly maxMs: number
  readonly minCount?: number
  readonly maxCount?: number
  readonly next: (index: number) => Ask
  /** Ends the load early. */
  readonly signal?: AbortSignal
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from the sending of a request to the last byte of its answer, sorted. */
  readonly times: readonly number[]
  readonly byLabel: ReadonlyMap<string, readonly number[]>
  /** Share of the time in which this process was busy: near 1, it is the generator that was measured. */
  readonly busy: number
}

const answerWithinMs = 60_000

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** The body of a chunked answer; undefined until all of it is there. */
function readChunks(data: Buffer, from: number): Buffer | undefined {
  const chunks: Buffer[] = []
  for (let at = from; ; ) {
    const lineEnd = data.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(data.toString('latin1', at, lineEnd), 16)
    at = lineEnd + 2 + size + 2
    if (data.length < at) return undefined
    if (size === 0) return Buffer.concat(chunks)
    chunks.push(data.subarray(lineEnd + 2, lineEnd + 2 + size))
  }
}

/** As much of HTTP/1.1 as servers that were asked plainly answer with; undefined until the whole answer is there. */
function readAnswer(data: Buffer): Answer | undefined {
  const headEnd = data.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = data.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) {
    const body = /\r\ntransfer-encoding: chunked/i.test(head) ? readChunks(data, headEnd + 4) : Buffer.alloc(0)
    return body && { status, body }
  }
  const end = headEnd + 4 + Number(length)
  return data.length < end ? undefined : { status, body: data.subarray(headEnd + 4, end) }
}

/** One connection that is kept, with one request on it at a time: no pipelining. */
function connect(port: number, onAnswer: (answer: Answer) => void, onError: (error: Error) => void) {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true })
  let kept: Buffer[] = []
  socket.setTimeout(answerWithinMs, () => socket.destroy(new Error(`no answer in ${answerWithinMs / 1000} s`)))
  socket.on('error', onError)
  socket.on('close', () => onError(new Error('the server closed a connection')))
  socket.on('data', (chunk: Buffer) => {
    kept.push(chunk)
    const data = kept.length === 1 ? chunk : Buffer.concat(kept)
    const answer = readAnswer(data)
    if (answer === undefined) {
      kept = [data]
      return
    }
    kept = []
    onAnswer(answer)
  })
  return socket
}

function toBytes({ method, path, headers = {}, body = '' }: Ask): Buffer {
  const lines = Object.entries({
    host: 'localhost',
    ...headers,
    ...(body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

/** Throws unless the answer is what the request must be answered with. */
function assertRight(ask: Ask, { status, body }: Answer): void {
  if (status === 200 && ask.right?.equals(body)) return
  const text = body.toString()
  const complaint = ask.check(status, text)
  if (complaint !== undefined) {
    throw new Error(`${ask.method} ${ask.path}: ${complaint}; the answer was ${status} ${text.slice(0, 300)}`)
  }
  if (ask.method === 'GET') ask.right = Buffer.from(body)
}

/**
 * Keeps so many connections busy, each with one request at a time, until time or count is over. A closed loop: a server that
 * is slow is asked less often, so the percentiles are those of the requests that were sent. Every answer is checked; the
 * first that is wrong ends it all.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, maxMs, minCount = 0, maxCount = Infinity, next, signal } = options
  const times: number[] = []
  const byLabel = new Map<string, number[]>()
  const before = performance.eventLoopUtilization()
  const started = performance.now()
  let begun = 0
  const isOver = () =>
    signal?.aborted === true || begun >= maxCount || (begun >= minCount && performance.now() - started >= maxMs)

  const work = () =>
    new Promise<void>((done, fail) => {
      let ask: Ask
      let sentAt = 0
      const send = () => {
        if (isOver()) {
          socket.removeAllListeners().on('error', () => {}) // our leaving is no error
          socket.destroy()
          return done()
        }
        ask = next(begun++)
        ask.bytes ??= toBytes(ask)
        sentAt = performance.now()
        socket.write(ask.bytes)
      }
      const receive = (answer: Answer) => {
        const ms = performance.now() - sentAt
        try {
          assertRight(ask, answer)
        } catch (error) {
          socket.destroy()
          return fail(error)
        }
        times.push(ms)
        if (ask.label !== undefined) {
          const own = byLabel.get(ask.label)
          if (own === undefined) byLabel.set(ask.label, [ms])
          else own.push(ms)
        }
        send()
      }
      const socket = connect(port, receive, fail)
      socket.once('connect', send)
    })

  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - started) / 1000
  const busy = performance.eventLoopUtilization(before).utilization
  for (const own of byLabel.values()) own.sort((a, b) => a - b)
  times.sort((a, b) => a - b)
  return { count: times.length, perSecond: times.length / seconds, times, byLabel, busy }
}

/** Of sorted values, the one that so large a share does not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN

/** The one in the middle. */
export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

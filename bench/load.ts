import { createConnection } from 'node:net'
import { performance } from 'node:perf_hooks'

/** A request and its right answer. Created once and sent often, so its bytes and its answer are cached. */
export interface Ask {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** Times are grouped by label. */
  readonly label?: string
  /** What is wrong with the answer; undefined if it is right. */
  readonly check: (status: number, body: string) => string | undefined
  /** An answer that was checked before: the same bytes need not be checked again. */
  right?: Buffer
  bytes?: Buffer
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** A limit on requests a second, over all connections; default: as many as are answered. */
  readonly perSecond?: number | undefined
  /** After this time no request starts, once `minCount` have started. */
  readonly maxMs: number
  readonly minCount?: number
  readonly maxCount?: number
  readonly next: (index: number) => Ask
  /** Ends the load early. */
  readonly signal?: AbortSignal
  /**
   * True if this process polls for answers instead of sleeping. Waking a sleeping process costs the server time for each answer, on
   * a virtual machine as much as the answer itself, and a slow server pays more often. Polling needs a core of its own.
   */
  readonly sleepless?: boolean | undefined
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from the sending of a request to the last byte of its answer, sorted. */
  readonly times: readonly number[]
  readonly byLabel: ReadonlyMap<string, readonly number[]>
  /** Share of the time in which this process was busy, or had answers to read: near 1, the generator itself was measured. */
  readonly busy: number
}

const answerWithinMs = 60_000

interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** The body of a chunked answer; undefined until it is complete. */
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

/** The subset of HTTP/1.1 that servers use for plain requests; undefined until the answer is complete. */
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

/** One kept-alive connection, with one request on it at a time: no pipelining. */
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

/** Throws unless the answer is the expected one. */
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
 * Keeps this many connections busy, each with one request at a time, until time or count is reached. A closed loop: a slow
 * server gets fewer requests, so the percentiles are those of the requests that were sent. Every answer is checked; the
 * first wrong one ends the run.
 */
export async function runLoad(options: LoadOptions): Promise<LoadResult> {
  const { port, connections, perSecond, maxMs, minCount = 0, maxCount = Infinity, next, signal, sleepless } = options
  const times: number[] = []
  const byLabel = new Map<string, number[]>()
  const before = performance.eventLoopUtilization()
  const started = performance.now()
  let begun = 0
  const isOver = () =>
    signal?.aborted === true || begun >= maxCount || (begun >= minCount && performance.now() - started >= maxMs)

  let emptyTurns = 0
  let isDone = false
  const stayAwake = (wasAt: number, answered: number) => {
    const now = performance.now()
    if (times.length === answered) emptyTurns += now - wasAt
    if (!isDone) setImmediate(stayAwake, now, times.length)
  }
  if (sleepless) setImmediate(stayAwake, performance.now(), 0)

  const work = () =>
    new Promise<void>((done, fail) => {
      let ask: Ask
      let sentAt = 0
      const send = () => {
        if (isOver()) {
          socket.removeAllListeners().on('error', () => {}) // our own disconnect is not an error
          socket.destroy()
          return done()
        }
        const aheadMs = perSecond === undefined ? 0 : started + (begun * 1000) / perSecond - performance.now()
        if (aheadMs > 1) {
          setTimeout(send, aheadMs)
          return
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

  await Promise.all(Array.from({ length: connections }, work)).finally(() => {
    isDone = true
  })
  const seconds = (performance.now() - started) / 1000
  const busy = sleepless ? 1 - emptyTurns / (seconds * 1000) : performance.eventLoopUtilization(before).utilization
  for (const own of byLabel.values()) own.sort((a, b) => a - b)
  times.sort((a, b) => a - b)
  return { count: times.length, perSecond: times.length / seconds, times, byLabel, busy }
}

/** The value of sorted ones that this share does not exceed. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * share) - 1))] ?? Number.NaN

/** The median. */
export const median = (values: readonly number[]): number =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

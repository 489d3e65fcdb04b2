import { Agent, type IncomingMessage, request } from 'node:http'

export interface LoadRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Record<string, string>
  readonly body?: string
  /** What is wrong with the answer; undefined when it is right. */
  readonly check: (status: number, body: string) => string | undefined
}

export interface LoadOptions {
  readonly port: number
  readonly connections: number
  /** No request begins after so long. */
  readonly maxMs: number
  /** Nor more of them than this. */
  readonly maxCount?: number
  readonly next: (index: number) => LoadRequest
  /** Ends the load early. */
  readonly signal?: AbortSignal
}

export interface LoadResult {
  readonly count: number
  readonly perSecond: number
  /** Milliseconds from the sending of a request to the last byte of its answer. */
  readonly percentile: (share: number) => number
  /** How many answers were wrong, and what the first of them was. */
  readonly wrong: number
  readonly firstWrong: string | undefined
}

const answerWithinMs = 30_000

function send(agent: Agent, port: number, { method, path, headers = {}, body = '' }: LoadRequest) {
  return new Promise<{ status: number; text: string; ms: number }>((done, fail) => {
    const sent = performance.now()
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) }
    const outgoing = request({ host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent })
    outgoing.setTimeout(answerWithinMs, () => outgoing.destroy(new Error(`no answer in ${answerWithinMs / 1000} s`)))
    outgoing.on('error', fail)
    outgoing.on('response', (response: IncomingMessage) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('error', fail)
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () => done({ status: response.statusCode ?? 0, text, ms: performance.now() - sent }))
    })
    outgoing.end(body)
  })
}

/**
 * Keeps so many connections busy, each with one request at a time, until time or count is over. A closed loop: a server that
 * is slow is asked less often, so the percentiles are those of the requests that were sent.
 */
export async function runLoad({ port, connections, maxMs, maxCount, next, signal }: LoadOptions): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const started = performance.now()
  let begun = 0
  let wrong = 0
  let firstWrong: string | undefined
  const isOver = () =>
    signal?.aborted === true || begun >= (maxCount ?? Infinity) || performance.now() - started >= maxMs
  const work = async () => {
    while (!isOver()) {
      const asked = next(begun++)
      const { status, text, ms } = await send(agent, port, asked)
      times.push(ms)
      const complaint = asked.check(status, text)
      if (complaint === undefined) continue
      wrong++
      firstWrong ??= complaint
    }
  }
  try {
    await Promise.all(Array.from({ length: connections }, work))
  } finally {
    agent.destroy()
  }
  const seconds = (performance.now() - started) / 1000
  times.sort((a, b) => a - b)
  return {
    count: times.length,
    perSecond: times.length / seconds,
    percentile: (share) => times[Math.min(times.length - 1, Math.ceil(times.length * share) - 1)] ?? Number.NaN,
    wrong,
    firstWrong,
  }
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

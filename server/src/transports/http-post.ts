import { withTimeLimit } from '../core/time-limit.ts'

const tryMs = 8_000
const longestAnswer = 10_000

/** A server refused the request; the message quotes its answer. */
export class RefusedError extends Error {
  readonly status: number
  readonly answer: string

  constructor(status: number, answer: string) {
    super(`The server answered ${status}.`)
    this.status = status
    this.answer = answer
  }
}

/** How much of an answer is read, in bytes. */
async function readStart(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length >= longestAnswer) break // ends the body, too
  }
  return text.slice(0, longestAnswer)
}

/**
 * Posts to a provider, for at most 8 seconds. Throws RefusedError unless the answer is 2xx: a redirect is one, too, for what
 * is sent is meant for this server and no other.
 */
export async function post(url: string, headers: Record<string, string>, body: string): Promise<void> {
  return withTimeLimit(tryMs, async (signal) => {
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      if (response.ok) {
        // The status decides. The body is read only so that the connection can be used again.
        await readStart(response).catch(() => {})
        return
      }
      throw new RefusedError(response.status, await readStart(response))
    } catch (error) {
      if (signal.aborted) throw new Error('The server did not answer in time.')
      if (error instanceof RefusedError) throw error
      // fetch reports "fetch failed" for everything; the reason is in its cause.
      const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
      throw new Error(cause?.code ?? cause?.message ?? message)
    }
  })
}

/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface StreamEvent {
  readonly id: string | undefined
  readonly name: string
  readonly data: string
}

function toEvent(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  return data === undefined ? undefined : { id: fields.get('id'), name: fields.get('event') ?? 'message', data }
}

/**
 * Reads the events of a response, one after another. `onBytes` is called for everything that arrives, heartbeats too.
 * Unlike `EventSource`, it lets us say from where to go on, and why a connection was refused.
 */
export async function* readEvents(response: Response, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const chunk = await reader?.read()
    if (chunk === undefined || chunk.done) return
    onBytes()
    const blocks = (text + chunk.value).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = toEvent(block)
      if (event !== undefined) yield event
    }
  }
}

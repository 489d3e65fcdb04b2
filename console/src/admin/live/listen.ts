import type { components } from '@gatehouse/client'
import { apiAddress } from '../../api/address.ts'
import { isForeign } from '../../api/foreign-answer.ts'
import { readEvents } from './read-events.ts'

/** A hint that something changed. */
export type Message = components['schemas']['StreamMessage']

export interface Listener {
  readonly onMessage: (message: Message) => void
  /** A job has gone on. */
  readonly onJob?: () => void
  /** Too much happened meanwhile: everything may have changed. */
  readonly onReset: () => void
  /** Nothing came; the server may be away. */
  readonly onFailure: () => void
  /** The session is over. Resolves when it lives again. */
  readonly onSignedOut: () => Promise<void>
}

const address = `${apiAddress}/me/stream`
/** The server sends a heartbeat every 15 s. */
const silenceMs = 40_000
const firstByteMs = 10_000
/** A stream that ends sooner was cut by something between us and the server. */
const usefulMs = 20_000
const maxCuts = 2
const pollMs = 5_000
const pollsBeforeStream = 60
const hiddenMs = 60_000
const maxWaitMs = 30_000

/** Resolves when the page is visible. */
async function untilVisible(): Promise<void> {
  while (document.hidden) {
    await new Promise((next) => document.addEventListener('visibilitychange', next, { once: true }))
  }
}

/** Waits, but not past the moment when the browser is online again. */
const wait = (ms: number): Promise<void> =>
  new Promise((next) => {
    const go = () => {
      clearTimeout(timer)
      removeEventListener('online', go)
      next()
    }
    const timer = setTimeout(go, ms)
    addEventListener('online', go)
  })

/** Aborts when the page has been hidden for long. */
function watchVisibility(controller: AbortController): void {
  let timer: ReturnType<typeof setTimeout>
  const look = () => {
    clearTimeout(timer)
    if (document.hidden) timer = setTimeout(() => controller.abort(), hiddenMs)
  }
  const stop = () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
  document.addEventListener('visibilitychange', look)
  controller.signal.addEventListener('abort', stop)
  look()
}

/**
 * Hears what changes, for as long as the page is there: by a stream, by asking now and then where something cuts streams, and
 * not at all while the page is hidden for long. Goes on after the last event that came. Returns what ends it.
 */
export function listen(listener: Listener): () => void {
  const ended = new AbortController()
  let lastId: string | undefined
  let cuts = 0
  let polls = 0

  async function ask(accept: string, signal: AbortSignal): Promise<Response> {
    const headers = { accept, ...(lastId === undefined ? {} : { 'last-event-id': lastId }) }
    return fetch(address, { headers, signal, cache: 'no-store' })
  }

  async function signedOut(): Promise<void> {
    await listener.onSignedOut()
    cuts = 0
  }

  /** Reads one stream to its end. */
  async function stream(): Promise<void> {
    const controller = new AbortController()
    const signal = AbortSignal.any([controller.signal, ended.signal])
    const startedMs = performance.now()
    let timer = setTimeout(() => controller.abort(), firstByteMs)
    const live = () => {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(), silenceMs)
    }
    watchVisibility(controller)
    try {
      const response = await ask('text/event-stream', signal)
      if (response.status === 401) return await signedOut()
      if (!response.ok || isForeign(response, 'text/event-stream')) throw new Error(`${response.status}`)
      for await (const { id, name, data } of readEvents(response, live)) {
        lastId = id ?? lastId
        if (name === 'signed_out') return await signedOut()
        if (name === 'reset') listener.onReset()
        else if (name === 'job') listener.onJob?.()
        else if (name !== 'ready') listener.onMessage(JSON.parse(data) as Message)
      }
    } finally {
      clearTimeout(timer)
      controller.abort()
      cuts = performance.now() - startedMs > usefulMs || document.hidden ? 0 : cuts + 1
    }
  }

  /** Asks once what happened since. */
  async function poll(): Promise<void> {
    const response = await ask('application/json', ended.signal)
    const text = await response.text()
    if (response.status === 401) return signedOut()
    if (!response.ok) throw new Error(`${response.status}`)
    const { data, meta } = JSON.parse(text) as {
      data: Message[]
      meta: { last_event_id: number; reset: boolean }
    }
    lastId = String(meta.last_event_id)
    if (meta.reset) listener.onReset()
    for (const message of data) listener.onMessage(message)
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!ended.signal.aborted) {
      await untilVisible()
      const isStream = cuts < maxCuts
      try {
        await (isStream ? stream() : poll())
        failures = 0
      } catch {
        failures += 1
        if (!ended.signal.aborted && !document.hidden) listener.onFailure()
      }
      if (!isStream && ++polls % pollsBeforeStream === 0) cuts = 0
      await wait(failures > 0 || isStream ? Math.min(1_000 * 2 ** failures, maxWaitMs) : pollMs)
    }
  }
  run()
  return () => ended.abort()
}

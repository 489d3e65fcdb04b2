import type { components } from '@gatehouse/client'
import { useEffect, useRef, useState } from 'react'
import { call } from '../data-provider.ts'

export type FeedEvent = components['schemas']['Event']

interface Page {
  readonly data: FeedEvent[]
  readonly meta: { readonly next_cursor: string }
}

/** How many are shown at first, and at most. */
const first = 50
const most = 500
const waitSeconds = 25
const pauseAfterErrorMs = 3_000

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      done()
    })
  })

export interface Feed {
  /** The newest first. */
  readonly events: readonly FeedEvent[]
  readonly isPending: boolean
  readonly error: Error | null
}

const nothing: Feed = { events: [], isPending: true, error: null }

/** The latest events about something (`role.*`; everything where it is empty), and those that come while the page is open. */
export function useFeed(types: string, isPaused: boolean): Feed {
  const [feed, setFeed] = useState(nothing)
  const cursor = useRef<string>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice starts over
  useEffect(() => {
    cursor.current = undefined
    setFeed(nothing)
  }, [types])

  useEffect(() => {
    if (isPaused) return
    const stop = new AbortController()
    const read = async (): Promise<void> => {
      const from = cursor.current
      const query: Record<string, string | number> =
        from === undefined ? { last: first } : { after: from, wait: waitSeconds }
      if (types !== '') query.types = types
      const { data, meta } = await call<Page>('GET', '/events', { query, signal: stop.signal })
      if (stop.signal.aborted) return
      cursor.current = meta.next_cursor
      const news = data.toReversed()
      setFeed(({ events }) => ({ events: [...news, ...events].slice(0, most), isPending: false, error: null }))
    }
    const follow = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        try {
          await read()
        } catch (error) {
          if (stop.signal.aborted) return
          setFeed(({ events }) => ({ events, isPending: false, error: error as Error }))
          await pause(pauseAfterErrorMs, stop.signal)
        }
      }
    }
    follow()
    return () => stop.abort()
  }, [types, isPaused])
  return feed
}

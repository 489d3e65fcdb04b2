import type { QueryClient } from '@tanstack/react-query'
import { home } from '../api/address.ts'
import { isForeign } from '../api/foreign-answer.ts'
import { createStore } from './store.ts'

/** No answer at all, or one of a proxy that reached no server, or of a server whose database is away. */
const awayStatuses = new Set([0, 502, 503, 504])

export const isAway = (error: unknown): boolean => awayStatuses.has((error as { status?: number }).status ?? -1)

const probeMs = 3_000

const lost = createStore(false)

/** Whether the server answers. Any answer counts, except those of a failing server or proxy and of a captive portal. */
export async function isServerBack(): Promise<boolean> {
  try {
    const response = await fetch(`${home}readyz`, { cache: 'no-store' })
    await response.text() // an answer that nobody reads occupies its connection
    return response.status < 500 && !isForeign(response)
  } catch {
    return false
  }
}

/** Resolves when the server answers again: asked every few seconds, and as soon as the browser says it is online. */
async function untilServerIsBack(): Promise<void> {
  for (;;) {
    await new Promise<unknown>((next) => {
      setTimeout(next, probeMs)
      addEventListener('online', next, { once: true })
    })
    if (await isServerBack()) return
  }
}

/** Called when the server could not be reached: waits until it can, and then loads everything that failed. */
export async function recover(queries: QueryClient): Promise<void> {
  if (lost.get()) return
  lost.set(true)
  await untilServerIsBack()
  lost.set(false)
  await queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
}

/** Whether the server was unreachable when it was last asked for something. */
export const useIsLost = lost.use

import type { Context } from '../../core/context.ts'
import { busyFor } from '../../core/errors.ts'
import type { EventRow } from './payload.ts'
import { eventsBetween, findHead } from './read-events.ts'

const lookEveryMs = 250
const maxWaiters = 5_000
/** How many new events are read for all waiting readers at once; a reader that needs more reads alone. */
const atOnce = 500

/** The matching events up to a position. */
export interface News {
  readonly rows: readonly EventRow[]
  readonly upTo: number
}

interface Waiter {
  /** The position up to which the reader knows everything that matches. */
  after: number
  readonly matches: (event: string) => boolean
  readonly tell: (news: News | undefined) => void
}

export interface FeedHub {
  /**
   * Waits for events after a position. Undefined where the reader should look alone; without rows where the time is up, the
   * reader has gone, or the server stops. Throws 503 where too many wait.
   */
  readonly wait: (
    after: number,
    matches: (event: string) => boolean,
    waitMs: number,
    gone: AbortSignal,
  ) => Promise<News | undefined>
  readonly stop: () => void
}

/** All waiting readers of a process. While there are any, one small query serves them all. */
export function createFeedHub(ctx: Context): FeedHub {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isStopped = false
  /** Every waiting reader has been told of the events up to here. */
  let told = 0

  async function look(): Promise<void> {
    const head = await findHead(ctx.db)
    if (head <= told) return
    const from = told
    const rows = head - from > atOnce ? undefined : await eventsBetween(ctx.db, from, head, [], atOnce)
    told = head
    for (const waiter of [...waiters]) {
      if (rows === undefined || waiter.after < from) waiter.tell(undefined)
      else {
        const matching = rows.filter(({ position, event }) => position > waiter.after && waiter.matches(event))
        waiter.after = Math.max(waiter.after, head)
        if (matching.length > 0) waiter.tell({ rows: matching, upTo: head })
      }
    }
  }

  function tick(): void {
    if (isLooking) return
    isLooking = true
    look()
      .catch((err) => ctx.log.warn({ err }, 'the feed could not be read'))
      .finally(() => {
        isLooking = false
      })
  }

  function join(waiter: Waiter): void {
    waiters.add(waiter)
    if (timer !== undefined) return
    told = waiter.after
    timer = setInterval(tick, lookEveryMs).unref()
  }

  function leave(waiter: Waiter): void {
    waiters.delete(waiter)
    if (waiters.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    wait: (after, matches, waitMs, gone) => {
      if (waiters.size >= maxWaiters) throw busyFor(10, 'Too many clients wait for events.')
      const { promise, resolve } = Promise.withResolvers<News | undefined>()
      const waiter: Waiter = {
        after,
        matches,
        tell: (news) => {
          leave(waiter)
          clearTimeout(deadline)
          gone.removeEventListener('abort', giveUp)
          resolve(news)
        },
      }
      const giveUp = () => waiter.tell({ rows: [], upTo: waiter.after })
      const deadline = setTimeout(giveUp, waitMs)
      gone.addEventListener('abort', giveUp)
      if (isStopped || gone.aborted) giveUp()
      // The others have been told of later events already: this reader would miss those in between.
      else if (timer !== undefined && after < told) waiter.tell(undefined)
      else join(waiter)
      return promise
    },
    stop: () => {
      isStopped = true
      for (const waiter of [...waiters]) waiter.tell({ rows: [], upTo: waiter.after })
    },
  }
}

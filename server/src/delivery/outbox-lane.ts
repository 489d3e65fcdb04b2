import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import { atOnce } from './message.ts'
import { claimDue, findNextDue } from './outbox.queries.ts'
import { leaseMs, type TryParts, tryDelivery } from './outbox-try.ts'

/** How soon a message that another node left behind is noticed. */
const longestSleepMs = 5_000
const shortestSleepMs = 100

/** Sends the messages of one kind. Each kind has its own slots, so that a slow server holds up nothing but its own. */
export interface Lane {
  /** Takes what is due, as far as there is room. */
  readonly look: () => Promise<void>
  /** Sends everything that is due now, and returns when it has been tried. */
  readonly drain: () => Promise<void>
  /** Goes on looking by itself until `stop`. */
  readonly start: () => void
  /** Takes no more, and waits for what is being sent. */
  readonly stop: () => Promise<void>
}

export function createLane(kind: DeliveryKind, parts: TryParts): Lane {
  const { db, clock, log } = parts
  const sending = new Set<Promise<void>>()
  let isStarted = false
  let isStopped = false
  let looking: Promise<void> | undefined
  /** There may be more since the look that is going on has begun. */
  let again = false
  let timer: NodeJS.Timeout | undefined

  const look: Lane['look'] = () => {
    again = true
    looking ??= lookUntilNothingIsNew()
    return looking
  }

  async function lookUntilNothingIsNew(): Promise<void> {
    try {
      while (again) {
        again = false
        for (const row of await claim()) begin(row)
        if (!again) await sleep()
      }
    } catch (error) {
      log.error({ err: error, kind }, 'the outbox could not be read')
      wakeIn(longestSleepMs)
    } finally {
      looking = undefined
    }
  }

  async function claim(): Promise<DeliveryRow[]> {
    const room = atOnce - sending.size
    return isStopped || room <= 0 ? [] : claimDue(db, kind, clock().getTime(), leaseMs, room)
  }

  function begin(row: DeliveryRow): void {
    const sent: Promise<void> = tryDelivery(parts, row)
      .catch((error) => log.error({ err: error, delivery: row.id }, 'a message could not be handled'))
      .finally(() => {
        sending.delete(sent)
        look()
      })
    sending.add(sent)
  }

  /** Until the next message is due, but never long: another node may die, and the command line has no worker. */
  async function sleep(): Promise<void> {
    if (!isStarted || isStopped) return
    const due = sending.size < atOnce ? await findNextDue(db, kind) : undefined
    const untilDueMs = due === undefined ? longestSleepMs : due - clock().getTime()
    wakeIn(Math.min(Math.max(untilDueMs, shortestSleepMs), longestSleepMs))
  }

  function wakeIn(ms: number): void {
    clearTimeout(timer)
    if (isStarted && !isStopped) timer = setTimeout(look, ms).unref()
  }

  return {
    look,
    drain: async () => {
      await look()
      while (sending.size > 0) {
        await Promise.race(sending)
        await look()
      }
    },
    start: () => {
      isStarted = true
      look()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await looking
      await Promise.all(sending)
      await looking
    },
  }
}

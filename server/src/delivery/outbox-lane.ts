import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import { atOnce } from './message.ts'
import { claimDue, findNextDue } from './outbox.queries.ts'
import { createBulk } from './outbox-bulk.ts'
import { leaseMs, type TryParts, tryDelivery } from './outbox-try.ts'

/** How soon a message that a dead node left behind is noticed. */
const longestSleepMs = 5_000
const shortestSleepMs = 100

/** Sends the messages of one kind. Each kind has its own slots, so that a slow server holds up nothing but its own. */
export interface Lane {
  /** Claims due messages while there are free slots. */
  readonly look: () => Promise<void>
  /** Sends everything that is due now, and returns when it has been tried. */
  readonly drain: () => Promise<void>
  /** Keeps polling until `stop`. */
  readonly start: () => void
  /** Claims no more, and waits for messages that are being sent. */
  readonly stop: () => Promise<void>
}

/** Bulk mail goes last: it gets the slots that are left, never all of them, and none while other messages may wait. */
export function createLane(kind: DeliveryKind, parts: TryParts): Lane {
  const { db, clock, log } = parts
  const sending = new Set<Promise<void>>()
  let begun = 0
  let isStarted = false
  let isStopped = false
  let looking: Promise<void> | undefined
  /** True if messages may have arrived since the current poll began. */
  let again = false
  /** True if more messages than free slots may wait, bulk mail aside. */
  let isCrowded = false
  let timer: NodeJS.Timeout | undefined

  const room = (): number => atOnce - sending.size - bulk.sending()
  const bulk = createBulk(kind, parts, {
    slots: atOnce - 1,
    room: () => (isCrowded ? 0 : Math.min(room(), atOnce - 1 - bulk.sending())),
    look: () => lookAgain(),
    onFree: () => {
      if (isCrowded) lookAgain()
    },
  })

  const look: Lane['look'] = () => {
    bulk.mayBeMore()
    return lookAgain()
  }

  function lookAgain(): Promise<void> {
    again = true
    looking ??= lookUntilNothingIsNew()
    return looking
  }

  async function lookUntilNothingIsNew(): Promise<void> {
    try {
      while (again) {
        again = false
        for (const row of await claim()) begin(row)
        await bulk.exchange()
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
    isCrowded = true // until it is known: the slots that are free now are for what is claimed here
    const limit = room()
    const rows = isStopped || limit <= 0 ? [] : await claimDue(db, { kind, bulk: 0 }, clock().getTime(), leaseMs, limit)
    isCrowded = rows.length === limit
    return rows
  }

  function begin(row: DeliveryRow): void {
    begun++
    const sent: Promise<void> = tryDelivery(parts, row)
      .catch((error) => log.error({ err: error, delivery: row.id }, 'a message could not be handled'))
      .finally(() => {
        sending.delete(sent)
        lookAgain()
      })
    sending.add(sent)
  }

  /** Until the next message is due, but never long: another node may die, and the command line sends nothing itself. */
  async function sleep(): Promise<void> {
    if (!isStarted || isStopped) return
    const due = room() > 0 ? await findNext() : undefined
    const untilDueMs = due === undefined ? longestSleepMs : due - clock().getTime()
    wakeIn(Math.min(Math.max(untilDueMs, shortestSleepMs), longestSleepMs))
  }

  /** Bulk mail that is being sent polls for more by itself. */
  async function findNext(): Promise<number | undefined> {
    const next = await findNextDue(db, { kind, bulk: 0 })
    const nextBulk = bulk.isBusy() ? undefined : await findNextDue(db, { kind, bulk: 1 })
    if (nextBulk === undefined) return next
    return Math.min(next ?? nextBulk, Math.max(nextBulk, bulk.restsUntil()))
  }

  function wakeIn(ms: number): void {
    clearTimeout(timer)
    if (isStarted && !isStopped) timer = setTimeout(look, ms).unref()
  }

  return {
    look,
    drain: async () => {
      for (let before = -1; before !== begun + bulk.begun(); ) {
        before = begun + bulk.begun()
        await look()
        while (sending.size > 0 || bulk.isBusy()) await Promise.all([...sending, bulk.idle()])
        await looking
      }
    },
    start: () => {
      isStarted = true
      look()
    },
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      bulk.stop()
      await lookAgain()
      await Promise.all([...sending, bulk.idle()])
      await looking
    },
  }
}

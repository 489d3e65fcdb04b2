import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import { claimDue, findNextDue, finishTries, giveBack, type Held, type Outcome, renewLeases } from './outbox.queries.ts'
import { attempt, leaseMs, renewMs, type TryParts } from './outbox-try.ts'
import { createPace } from './pace.ts'

/** The most that is claimed at a time. After a kill, at most this many messages are sent twice. */
export const batch = 100
/** Results are written in batches of this size, or when the oldest has waited this long. */
const enoughResults = 50
const longestWaitMs = 100
/** After this many consecutive failures sending pauses, longer each time. */
const failuresInRow = 10
const firstRestMs = 5_000
const longestRestMs = 300_000

/** Sends bulk mail with the slots that other messages leave free. */
export interface Bulk {
  /** How many are being sent. */
  readonly sending: () => number
  /** Whether it holds any messages. */
  readonly isBusy: () => boolean
  /** How many sends have started since the process began. */
  readonly begun: () => number
  /** Call it when messages may be due. */
  readonly mayBeMore: () => void
  /** Writes pending results, claims more messages if needed, and starts as many as there are free slots. */
  readonly exchange: () => Promise<void>
  /** When the next step is due, as far as known without a query; until then it rests. */
  readonly restsUntil: () => number
  /** Resolves when nothing is held any more. */
  readonly idle: () => Promise<void>
  /** Claims no more; the next exchange returns what was not started. */
  readonly stop: () => void
}

interface Surroundings {
  /** How many more may start now. */
  readonly room: () => number
  /** At most so many are sent at once. */
  readonly slots: number
  /** An exchange is due. */
  readonly look: () => void
  /** Called when a slot becomes free, before it is used again. */
  readonly onFree: () => void
}

/**
 * One commit per batch instead of two per mail, so that the load on the database's disk, and the speed of every other write,
 * hardly depend on how many mails go out. The batch size follows the speed of the mail server, so that with a slow server no
 * node holds messages that others could send.
 */
export function createBulk(kind: DeliveryKind, parts: TryParts, { room, slots, look, onFree }: Surroundings): Bulk {
  const { db, clock, log } = parts
  const pace = createPace()
  const waiting: DeliveryRow[] = []
  const sending = new Map<number, DeliveryRow>()
  let results: (Held & Outcome)[] = []
  let begun = 0
  let more = false
  let isOverdue = false
  let isStopped = false
  let failures = 0
  let restMs = 0
  let restUntil = 0
  let renewal: NodeJS.Timeout | undefined
  let writeTimer: NodeJS.Timeout | undefined
  let idle = Promise.withResolvers<void>()

  const isHolding = (): boolean => waiting.length + sending.size + results.length > 0
  const maySend = (): boolean => !isStopped && clock().getTime() >= restUntil

  /** How many to claim: what is sent in about a second, but at least enough for all slots. */
  const wanted = (): number =>
    more && maySend() ? Math.min(Math.max(pace.recent(), slots), batch) - waiting.length - sending.size : 0

  function isExchangeDue(): boolean {
    const isResultDue = isOverdue || sending.size === 0 || results.length >= enoughResults
    if (results.length > 0 && isResultDue) return true
    return maySend() ? waiting.length < slots && wanted() > 0 : waiting.length > 0
  }

  async function exchange(): Promise<void> {
    if (isExchangeDue()) await tryExchange()
    fill()
  }

  async function tryExchange(): Promise<void> {
    clearTimeout(writeTimer)
    writeTimer = undefined
    isOverdue = false
    const written = [...results]
    const back = maySend() ? [] : waiting.splice(0)
    const room = wanted()
    const now = clock().getTime()
    if (room > 0) more = false
    if (!isHolding() && !(await isAnyDue(now))) return // no write, not even an empty one
    const taken = await db.transaction().execute(async (transaction) => {
      await finishTries(transaction, written)
      await giveBack(transaction, back, now)
      return room > 0 ? claimDue(transaction, { kind, bulk: 1 }, now, leaseMs, room) : []
    })
    results = results.slice(written.length) // what came in meanwhile
    if (taken.length > 0 && taken.length === room) more = true
    waiting.push(...taken)
    if (isHolding()) renewal ??= setInterval(renew, renewMs).unref()
    else rest()
  }

  async function isAnyDue(now: number): Promise<boolean> {
    const due = await findNextDue(db, { kind, bulk: 1 })
    return due !== undefined && due <= now
  }

  function renew(): void {
    const held = [...waiting, ...sending.values(), ...results]
    renewLeases(db, held, clock().getTime() + leaseMs).catch(() => {})
  }

  function rest(): void {
    clearInterval(renewal)
    renewal = undefined
    idle.resolve()
    idle = Promise.withResolvers<void>()
  }

  function fill(): void {
    for (let free = room(); free > 0 && waiting.length > 0 && maySend(); free--) begin(waiting.shift() as DeliveryRow)
  }

  function lookSoon(): void {
    writeTimer ??= setTimeout(() => {
      isOverdue = true
      look()
    }, longestWaitMs).unref()
  }

  async function begin(row: DeliveryRow): Promise<void> {
    begun++
    sending.set(row.id, row)
    const outcome = await attempt(parts, row)
    sending.delete(row.id)
    results.push({ id: row.id, attempts: row.attempts, ...outcome })
    pace.note()
    noteOutcome(outcome.status === 'sent' || outcome.status === 'captured')
    onFree()
    fill()
    if (isExchangeDue()) look()
    else lookSoon()
  }

  function noteOutcome(isTaken: boolean): void {
    failures = isTaken ? 0 : failures + 1
    if (isTaken) restMs = 0
    if (failures < failuresInRow || !maySend()) return
    restMs = Math.min(Math.max(firstRestMs, restMs * 2), longestRestMs)
    restUntil = clock().getTime() + restMs
    log.warn({ kind, seconds: restMs / 1000 }, 'the server took nothing for a while: mail to many rests')
  }

  return {
    sending: () => sending.size,
    isBusy: isHolding,
    begun: () => begun,
    mayBeMore: () => {
      more = true
    },
    exchange,
    restsUntil: () => restUntil,
    idle: async () => {
      if (isHolding()) await idle.promise
    },
    stop: () => {
      isStopped = true
    },
  }
}

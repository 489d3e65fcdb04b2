import { setTimeout as pause } from 'node:timers/promises'
import type { RootDb } from '../db/database.ts'
import { type AttemptParts, attempt } from './attempt.ts'
import { createBackoff } from './backoff.ts'
import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import { createLoop } from './loop.ts'
import { claimDue, findNextDue, finish, giveBack, leaseMs, type Result, renewLeases } from './outbox.queries.ts'
import { createPace } from './pace.ts'
import { createSlots } from './slots.ts'

const renewMs = 3_000
/** The most that is held at a time. After a kill, at most this many messages are sent twice. */
export const batch = 100
/** Outcomes of bulk mail are written in batches of this size, or when the oldest has waited this long. */
const enoughResults = 50
const longestWaitMs = 100
/** How soon a message that a dead node left behind is noticed. */
const longestSleepMs = 5_000
const shortestSleepMs = 100
/** How soon a failed exchange with the database is repeated, and how often a stop waits for that. */
const retryMs = 500
const mostRetries = 20

export interface SenderParts extends AttemptParts {
  readonly db: RootDb
}

/** Sends the messages of one kind. Each kind has its own slots, so that a slow server holds up nothing but its own. */
export interface Sender {
  /** Looks for messages that may have become due. */
  readonly look: () => void
  /** Sends everything that is due now, and returns when it has been tried. */
  readonly drain: () => Promise<void>
  /** Keeps polling until `stop`. */
  readonly start: () => void
  /** Claims no more, returns what was not attempted, and waits for messages that are being sent. */
  readonly stop: () => Promise<void>
}

/**
 * One transaction writes outcomes and claims messages. Urgent messages are claimed for free slots and written at once. Bulk
 * mail goes last: it is claimed and written in batches, so that the load on the database's disk hardly depends on how many
 * mails go out, and a batch follows the speed of the mail server, so that no node holds messages that others could send.
 */
export function createSender(kind: DeliveryKind, parts: SenderParts): Sender {
  const { db, clock, log } = parts
  const pace = createPace()
  const slots = createSlots(clock)
  const backoff = createBackoff(clock, (seconds) =>
    log.warn({ kind, seconds }, 'the server took nothing for a while: mail to many rests'),
  )
  const loop = createLoop(turn, retryMs, (error) => {
    more.urgent = more.bulk = true
    log.error({ err: error, kind }, 'the outbox could not be read or written')
  })
  /** Claimed bulk mail that has no slot yet. */
  const waiting: DeliveryRow[] = []
  /** Messages that the server was too busy for: they get the next slots. */
  const turnedAway: DeliveryRow[] = []
  const sending = new Map<DeliveryRow, Promise<void>>()
  let results: Result[] = []
  /** True while messages may be due that are not claimed. */
  const more = { urgent: false, bulk: false }
  /** When to look for messages again, by `performance.now()`. */
  let lookAt = Number.POSITIVE_INFINITY
  let begun = 0
  /** Messages that the server has taken. */
  let taken = 0
  let phase: 'idle' | 'started' | 'stopped' = 'idle'
  let renewal: NodeJS.Timeout | undefined

  const isHolding = () => waiting.length + turnedAway.length + sending.size + results.length > 0
  const freeSlots = () => Math.max(0, slots.count() - sending.size - turnedAway.length)
  /** Bulk mail never takes the last slot, unless the server works for one at a time. */
  const bulkSlots = () => Math.max(1, slots.count() - 1)
  const bulkSending = () => [...sending.keys()].filter(({ bulk }) => bulk === 1).length
  const maySendBulk = () => phase !== 'stopped' && clock().getTime() >= backoff.until()

  const wantedUrgent = () => (more.urgent && phase !== 'stopped' ? freeSlots() : 0)
  /** What is sent in about a second, but at least enough for all slots. */
  const wantedBulk = () =>
    more.bulk && maySendBulk()
      ? Math.max(0, Math.min(Math.max(pace.recent(), bulkSlots()), batch) - waiting.length - bulkSending())
      : 0

  function isExchangeDue(): boolean {
    const [oldest] = results
    const isResultDue = sending.size === 0 || results.length >= enoughResults || results.some(({ bulk }) => bulk === 0)
    if (oldest !== undefined && (isResultDue || performance.now() - oldest.at >= longestWaitMs)) return true
    if (wantedUrgent() > 0) return true
    if (phase === 'stopped' && turnedAway.length > 0) return true
    return maySendBulk() ? waiting.length < bulkSlots() && wantedBulk() > 0 : waiting.length > 0
  }

  async function turn(): Promise<void> {
    if (performance.now() >= lookAt) more.urgent = more.bulk = true
    if (isExchangeDue()) await exchange()
    fill()
    if (phase !== 'started') return
    const ms = await untilNextDueMs()
    lookAt = performance.now() + ms
    loop.within(ms)
  }

  async function exchange(): Promise<void> {
    const written = [...results]
    const back = maySendBulk() ? [] : waiting.splice(0)
    if (phase === 'stopped') back.push(...turnedAway.splice(0))
    const now = clock().getTime()
    const wanted = { urgent: wantedUrgent(), bulk: wantedBulk() }
    if (wanted.urgent > 0) more.urgent = false // what comes from now on sets it again
    if (wanted.bulk > 0) more.bulk = false
    if (written.length + back.length === 0 && !(await isAnyDue(now))) return // no write, not even an empty one
    const exchanged = db.transaction().execute(async (transaction) => {
      await finish(transaction, written)
      await giveBack(transaction, back, now)
      return claimDue(transaction, kind, wanted, now)
    })
    const claimed = await exchanged.catch((error) => {
      waiting.unshift(...back)
      throw error
    })
    results = results.slice(written.length) // others came in meanwhile
    const urgent = claimed.filter(({ bulk }) => bulk === 0)
    const bulk = claimed.filter((row) => row.bulk === 1)
    if (wanted.urgent > 0 && urgent.length === wanted.urgent) more.urgent = true
    if (wanted.bulk > 0 && bulk.length === wanted.bulk) more.bulk = true
    waiting.push(...bulk)
    for (const row of urgent) begin(row)
    if (isHolding()) renewal ??= setInterval(renew, renewMs).unref()
    else {
      clearInterval(renewal)
      renewal = undefined
    }
  }

  async function isAnyDue(now: number): Promise<boolean> {
    const { urgent, bulk } = await findNextDue(db, kind)
    return Math.min(urgent, bulk) <= now
  }

  /** Starts what was turned away, then bulk mail in the slots that are left, and none while urgent messages may wait. */
  function fill(): void {
    while (phase !== 'stopped' && sending.size < slots.count()) {
      const row = turnedAway.shift()
      if (row === undefined) break
      begin(row)
    }
    while (!more.urgent && maySendBulk() && freeSlots() > 0 && bulkSending() < bulkSlots()) {
      const row = waiting.shift()
      if (row === undefined) return
      begin(row)
    }
  }

  function begin(row: DeliveryRow): void {
    begun++
    sending.set(row, send(row))
  }

  async function send(row: DeliveryRow): Promise<void> {
    const takenBefore = taken
    const tried = await attempt(parts, row, () => sending.size > 1 || taken > takenBefore)
    if (tried?.verdict === 'taken') taken++
    sending.delete(row)
    if (tried === undefined) turnAway(row)
    else {
      results.push({ id: row.id, attempts: row.attempts, bulk: row.bulk, at: performance.now(), ...tried.outcome })
      if (row.bulk === 1) {
        pace.note()
        backoff.note(tried.verdict)
      }
    }
    fill()
    if (isExchangeDue()) loop.now()
    else loop.within(longestWaitMs)
  }

  /** The server works, or has just worked, for others. */
  function turnAway(row: DeliveryRow): void {
    const atOnce = Math.max(1, sending.size)
    slots.limit(atOnce)
    turnedAway.push(row)
    log.info({ kind, atOnce }, 'the server refuses further connections: fewer messages are sent at a time')
  }

  function renew(): void {
    const held = [...waiting, ...turnedAway, ...sending.keys(), ...results]
    renewLeases(db, held, clock().getTime() + leaseMs).catch(() => {})
  }

  /** Never long: another node may die, and the command line sends nothing itself. */
  async function untilNextDueMs(): Promise<number> {
    if (freeSlots() === 0) return longestSleepMs
    const next = await findNextDue(db, kind)
    // Bulk mail that is being sent asks for more by itself.
    const nextBulk =
      waiting.length + bulkSending() > 0 ? Number.POSITIVE_INFINITY : Math.max(next.bulk, backoff.until())
    const dueMs = Math.min(next.urgent, nextBulk) - clock().getTime()
    return Math.min(Math.max(dueMs, shortestSleepMs), longestSleepMs)
  }

  function look(): Promise<boolean> {
    more.urgent = more.bulk = true
    return loop.now()
  }

  /** Waits until nothing is held, unless the database stays away. */
  async function settle(): Promise<void> {
    for (let failures = 0; isHolding() && failures < mostRetries; ) {
      await Promise.all(sending.values())
      failures = (await loop.now()) ? 0 : failures + 1
      if (failures > 0) await pause(retryMs)
    }
  }

  return {
    look,
    drain: async () => {
      for (let before = -1; before !== begun; ) {
        before = begun
        await look()
        await settle()
      }
    },
    start: () => {
      phase = 'started'
      look()
    },
    stop: async () => {
      phase = 'stopped'
      loop.stop()
      await loop.now()
      await settle()
    },
  }
}

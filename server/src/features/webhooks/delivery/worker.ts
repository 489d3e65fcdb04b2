import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../core/context.ts'
import type { Slots } from '../../../core/slots.ts'
import { inTransaction } from '../../../db/transaction.ts'
import type { GuardedPoster } from '../../../transports/guarded-post.ts'
import { bodyOf, headersOf, messageIdOf } from '../messages.ts'
import { switchOff } from '../switch-off.ts'
import { secretsOf } from '../webhooks.service.ts'
import type { WebhookRow } from '../webhooks.table.ts'
import { type Outcome, type Verdict, writeOutcomes } from './outcomes.ts'
import { batch, type DueMessage, findDue, pull, releaseLease, takeLease } from './queue.ts'

/** While a node sends to a webhook, no other does. After a kill, others wait this long. */
const leaseMs = 10_000
const renewMs = 3_000
/** How many requests to one webhook are under way at a time. */
const atOnce = 10
/** Outcomes are written together: so many, or after this time. */
const enough = 50
const longestWaitMs = 50
/** From so many failures in a row on, the next request waits a little, so that a dead server costs nobody much. */
const patience = 20
const longestPauseMs = 1_000
/** How soon a failed exchange with the database is repeated, and how often. */
const retryMs = 500
const mostRetries = 20

/** What all webhooks of a node do little of in a turn of the event loop, so that requests to the service are not kept waiting. */
export interface Turns {
  /** Resolves when one more message may be sent. */
  readonly send: () => Promise<void>
  /** Runs an exchange with the database when it may begin: a few at a time, so that requests find free connections. */
  readonly exchange: Slots
}

/** Repeats an exchange while the database is away, so that what was sent is not forgotten. */
async function patiently<T>(exchange: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await exchange()
    } catch (error) {
      if (failures === mostRetries) throw error
      await pause(retryMs)
    }
  }
}

/** Looks after one webhook until there is nothing to do, or another node does. */
export async function work(
  ctx: Context,
  poster: GuardedPoster,
  holder: string,
  id: number,
  stop: AbortSignal,
  turns: Turns,
): Promise<void> {
  let ready: DueMessage[] = []
  const underWay = new Set<number>()
  let outcomes: Outcome[] = []
  let webhook: WebhookRow | undefined
  /** The secrets that sign, opened once for many messages. */
  let secrets: readonly string[] = []
  let failures = 0
  let pausedUntil = 0
  let wake = () => {}

  async function send(row: WebhookRow, message: DueMessage): Promise<void> {
    await turns.send()
    const body = bodyOf(message, ctx.config)
    const headers = headersOf(messageIdOf(ctx.sealer, message.id), body, secrets)
    const posted = await poster.post(row.url, headers, body)
    const isTaken = posted.status !== null && posted.status >= 200 && posted.status < 300
    failures = isTaken ? 0 : failures + 1
    pausedUntil = performance.now() + Math.min(longestPauseMs, Math.max(0, failures - patience) * 10)
    outcomes.push({ message, posted, atMs: ctx.clock().getTime() })
    underWay.delete(message.position)
    fill()
    if (outcomes.length >= enough || underWay.size === 0) wake()
  }

  function fill(): void {
    while (webhook !== undefined && !stop.aborted && underWay.size < atOnce) {
      if (performance.now() < pausedUntil && underWay.size > 0) return
      const message = ready.shift()
      if (message === undefined) return
      underWay.add(message.position)
      send(webhook, message).catch((err) => {
        underWay.delete(message.position)
        ctx.log.error({ err, webhook: id }, 'a webhook message could not be made')
        wake()
      })
    }
  }

  /** One exchange with the database: writes outcomes, extends the lease, and takes what is due. */
  async function exchange(): Promise<{ verdict: Verdict; isOver: boolean }> {
    const written = [...outcomes]
    const now = ctx.clock().getTime()
    const result = await inTransaction(ctx.unguarded, async (db) => {
      const lease = await takeLease(db, id, holder, now, now + leaseMs)
      if (lease === undefined) return undefined
      const verdict = await writeOutcomes(db, id, lease.failing_since_ms, written, now)
      const row = await db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
      const isOn = row?.enabled === 1 && verdict === undefined && !stop.aborted
      let due: DueMessage[] = []
      if (row !== undefined && isOn && ready.length < atOnce) {
        if (ready.length + underWay.size < batch) await pull(db, row, lease.cursor, now)
        due = await findDue(db, id, now, batch + underWay.size)
      }
      // What was answered since this exchange began is still due in the database.
      const held = [...ready, ...outcomes.map(({ message }) => message)].map(({ position }) => position)
      const known = new Set([...underWay, ...held])
      const fresh = due.filter(({ position }) => !known.has(position)).slice(0, Math.max(0, batch - known.size))
      const isOver =
        (!isOn || ready.length + fresh.length === 0) && underWay.size === 0 && outcomes.length === written.length
      if (isOver) await releaseLease(db, id)
      return { verdict, row: isOn ? row : undefined, fresh, isOver }
    })
    outcomes = outcomes.slice(written.length)
    webhook = result?.row
    if (webhook === undefined) ready = []
    else secrets = secretsOf(ctx, webhook)
    ready.push(...(result?.fresh ?? []))
    return { verdict: result?.verdict, isOver: result === undefined || result.isOver }
  }

  /** Until outcomes are to be written, or there is room for more. */
  const changed = (): Promise<void> =>
    new Promise((resolve) => {
      const isPaused = performance.now() < pausedUntil
      const isWaiting = outcomes.length > 0 || ready.length > 0
      const waitMs = isWaiting ? Math.max(longestWaitMs, isPaused ? pausedUntil - performance.now() : 0) : renewMs
      const timer = setTimeout(() => wake(), waitMs)
      wake = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
      if (outcomes.length >= enough || (underWay.size === 0 && !isPaused)) wake()
    })

  for (;;) {
    const { verdict, isOver } = await patiently(() => turns.exchange(exchange))
    if (verdict !== undefined) await switchOff(ctx, id, verdict)
    if (isOver) return
    fill()
    await changed()
  }
}

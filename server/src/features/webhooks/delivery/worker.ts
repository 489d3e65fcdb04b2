import { setTimeout as pause } from 'node:timers/promises'
import type { Context } from '../../../core/context.ts'
import type { Slots } from '../../../core/slots.ts'
import type { GuardedPoster } from '../../../transports/guarded-post.ts'
import { switchOff } from '../switch-off.ts'
import { type Exchanged, exchange, type InHand } from './exchange.ts'
import { createSending } from './sending.ts'

/** Outcomes are written together: up to this many, or after this time. */
const enough = 90
const longestWaitMs = 250
/** How often the lease is extended while nothing else happens. */
const renewMs = 3_000
/** How soon a failed exchange with the database is repeated, and how often. */
const retryMs = 500
const mostRetries = 20

/** The limits that all webhooks of a node share, so that requests to the service are not kept waiting. */
export interface Turns {
  /** Resolves when one more message may be sent. */
  readonly send: () => Promise<void>
  /** Runs an exchange with the database when it may begin: a few at a time, so that requests find free connections. */
  readonly exchange: Slots
}

/** What the workers of all webhooks share. */
export interface Delivery {
  readonly ctx: Context
  readonly poster: GuardedPoster
  /** Names this process in leases. */
  readonly holder: string
  readonly turns: Turns
}

/** Repeats an exchange while the database is away, so that what was sent is not forgotten. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (failures === mostRetries) throw error
      await pause(retryMs)
    }
  }
}

/** Looks after one webhook until there is nothing to do, or another node does. */
export async function work({ ctx, poster, holder, turns }: Delivery, id: number, stop: AbortSignal): Promise<void> {
  const hand: InHand = { ready: [], underWay: new Set(), outcomes: [] }
  let wake = () => {}
  const sending = createSending({ ctx, poster, turn: turns.send, onDone }, hand, stop)

  function isDue(): boolean {
    return hand.outcomes.length >= enough || (hand.underWay.size === 0 && sending.pauseMs() === 0)
  }

  function onDone(): void {
    if (hand.outcomes.length >= enough || hand.underWay.size === 0) wake()
  }

  /** Until outcomes are to be written, or there is room for more. */
  async function changed(): Promise<void> {
    if (isDue()) return
    const isWaiting = hand.outcomes.length > 0 || hand.ready.length > 0
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, isWaiting ? Math.max(longestWaitMs, sending.pauseMs()) : renewMs)
    wake = resolve
    await promise
    clearTimeout(timer)
  }

  async function exchangeOnce(): Promise<Exchanged> {
    const count = hand.outcomes.length
    const exchanged = await exchange(ctx, holder, id, hand, stop)
    hand.outcomes = hand.outcomes.slice(count)
    hand.ready.push(...exchanged.fresh)
    sending.aim(exchanged.webhook)
    return exchanged
  }

  for (;;) {
    const { verdict, isOver } = await patiently(() => turns.exchange(exchangeOnce))
    if (verdict !== undefined) await switchOff(ctx, id, verdict)
    if (isOver) return
    sending.fill()
    await changed()
  }
}

import type { KeyObject } from 'node:crypto'
import type { Context } from '../../../core/context.ts'
import type { GuardedPoster } from '../../../transports/guarded-post.ts'
import { bodyOf, headersOf, messageIdOf, signingKeyOf } from '../messages.ts'
import { secretsOf } from '../webhooks.service.ts'
import type { WebhookRow } from '../webhooks.table.ts'
import { createBackoff } from './backoff.ts'
import type { InHand } from './exchange.ts'
import { isTaken } from './outcomes.ts'
import type { DueMessage } from './queue.ts'

/** How many requests to one webhook are under way at a time. */
const atOnce = 10

/** Sends what a worker has in hand. */
export interface Sending {
  /** Says where to send, and with which secrets to sign; undefined where nothing more may be sent. */
  readonly aim: (webhook: WebhookRow | undefined) => void
  /** Begins to send what may be sent now. */
  readonly fill: () => void
  /** Milliseconds until an endpoint that fails again and again gets the next message; 0 for at once. */
  readonly pauseMs: () => number
}

interface Parts {
  readonly ctx: Context
  readonly poster: GuardedPoster
  /** Resolves when one more message may be sent. */
  readonly turn: () => Promise<void>
  /** Called for each finished message. */
  readonly onDone: () => void
}

export function createSending({ ctx, poster, turn, onDone }: Parts, hand: InHand, stop: AbortSignal): Sending {
  const backoff = createBackoff()
  let target: { readonly id: number; readonly url: string; readonly keys: readonly KeyObject[] } | undefined

  async function send(url: string, keys: readonly KeyObject[], message: DueMessage): Promise<void> {
    await turn()
    const body = bodyOf(message, ctx.config)
    const posted = await poster.post(url, headersOf(messageIdOf(ctx.sealer, message.id), body, keys), body)
    const outcome = { message, posted, atMs: ctx.clock().getTime() }
    backoff.note(isTaken(outcome))
    hand.outcomes.push(outcome)
  }

  function fill(): void {
    while (target !== undefined && !stop.aborted && hand.underWay.size < atOnce) {
      if (backoff.pauseMs() > 0 && hand.underWay.size > 0) return
      const message = hand.ready.shift()
      if (message === undefined) return
      begin(target.id, send(target.url, target.keys, message), message.position)
    }
  }

  function begin(webhook: number, sending: Promise<void>, position: number): void {
    hand.underWay.add(position)
    sending
      .catch((err) => ctx.log.error({ err, webhook }, 'a webhook message could not be made'))
      .finally(() => {
        hand.underWay.delete(position)
        fill()
        onDone()
      })
  }

  return {
    aim: (webhook) => {
      target = webhook && { id: webhook.id, url: webhook.url, keys: secretsOf(ctx, webhook).map(signingKeyOf) }
      if (webhook === undefined) hand.ready = []
    },
    fill,
    pauseMs: backoff.pauseMs,
  }
}

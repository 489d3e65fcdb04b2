import type { KeyObject } from 'node:crypto'
import type { Context } from '../../../core/context.ts'
import type { GuardedPoster, Posted } from '../../../transports/guarded-post.ts'
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

interface Target {
  readonly id: number
  readonly url: string
  readonly keys: readonly KeyObject[]
}

/** Counts as a failed attempt, so that the message is tried again later, and given up in the end. */
const unmade = (error: unknown): Posted => ({
  status: null,
  error: `The message cannot be made: ${error instanceof Error ? error.message : String(error)}`,
  answer: null,
  durationMs: 0,
})

export function createSending({ ctx, poster, turn, onDone }: Parts, hand: InHand, stop: AbortSignal): Sending {
  const backoff = createBackoff()
  let target: Target | undefined

  async function post({ id, url, keys }: Target, message: DueMessage): Promise<Posted> {
    let made: { readonly headers: Record<string, string>; readonly body: string }
    try {
      const body = bodyOf(message, ctx.config)
      made = { headers: headersOf(messageIdOf(ctx.sealer, message.id), body, keys), body }
    } catch (err) {
      ctx.log.error({ err, webhook: id }, 'a webhook message could not be made')
      return unmade(err)
    }
    const posted = await poster.post(url, made.headers, made.body)
    backoff.note(isTaken({ posted }))
    return posted
  }

  async function send(to: Target, message: DueMessage): Promise<void> {
    await turn()
    const posted = await post(to, message)
    hand.outcomes.push({ message, posted, atMs: ctx.clock().getTime() })
  }

  function fill(): void {
    while (target !== undefined && !stop.aborted && hand.underWay.size < atOnce) {
      if (backoff.pauseMs() > 0 && hand.underWay.size > 0) return
      const message = hand.ready.shift()
      if (message === undefined) return
      begin(target.id, send(target, message), message.position)
    }
  }

  function begin(webhook: number, sending: Promise<void>, position: number): void {
    hand.underWay.add(position)
    sending
      .catch((err) => ctx.log.error({ err, webhook }, 'a webhook message could not be sent'))
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

import { randomUUID } from 'node:crypto'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { Context } from '../../../core/context.ts'
import type { Job } from '../../../core/jobs.ts'
import { createSlots } from '../../../core/slots.ts'
import { tracePoster } from '../../../transports/call-spans.ts'
import { createGuardedPoster } from '../../../transports/guarded-post.ts'
import { findWaiting } from './queue.ts'
import { createTurns } from './turns.ts'
import { type Delivery, type Turns, work } from './worker.ts'

export const deliverJob = 'webhooks.deliver'
/** How often others are looked for while some are at work. */
const lookEveryMs = 250
/** On PostgreSQL each takes a connection, and requests need the others. */
const exchangesAtOnce = 2

/**
 * Sends to all webhooks. Each has a worker of its own for as long as there is something to do, so that a slow or dead one
 * delays nobody else.
 */
export function deliveryJob(ctx: Context): Job {
  const poster = tracePoster(createGuardedPoster(ctx.config.webhookNetworks), ctx.telemetry)
  const holder = randomUUID()
  const workers = new Map<number, Promise<void>>()
  const inLine = createSlots(exchangesAtOnce)
  const turns: Turns = {
    send: createTurns(ctx.traffic.isRecent),
    exchange: (exchange) => inLine(() => turn().then(exchange)),
  }
  const delivery: Delivery = { ctx, poster, holder, turns }

  function begin(id: number, stop: AbortSignal): void {
    const worker = work(delivery, id, stop)
      .catch((err) => ctx.log.error({ err, webhook: id }, 'a webhook could not be served; it is tried again'))
      .finally(() => workers.delete(id))
    workers.set(id, worker)
  }

  async function run(stop: AbortSignal): Promise<boolean> {
    do {
      const waiting = stop.aborted ? [] : await findWaiting(ctx.db, holder, ctx.clock().getTime())
      for (const id of waiting) if (!workers.has(id)) begin(id, stop)
      await Promise.race([Promise.all(workers.values()), pause(lookEveryMs)])
    } while (workers.size > 0)
    if (stop.aborted) poster.close()
    return false
  }

  return { name: deliverJob, everySeconds: 1, run }
}

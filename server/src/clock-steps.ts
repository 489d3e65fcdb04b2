import type { Context } from './core/context.ts'
import type { Job } from './core/jobs.ts'
import { sequenceJob } from './features/activity/event-writer.ts'
import { hastenEvents } from './features/activity/sequencer.ts'
import { deliverJob } from './features/webhooks/delivery/job.ts'
import { hastenMessages } from './features/webhooks/delivery/outcomes.ts'
import { hastenDeliveries } from './outbox/hasten.ts'

/** A clock that goes back by less is being adjusted, not set. */
const stepMs = 1_000
/** How often to look for what another node has left whose clock was set back. */
const atLeastEveryMs = 600_000

/**
 * Mail, events and webhook messages that were written while a clock was ahead would wait until that time comes again. After the
 * clock was set back they are due at once.
 */
export function clockSteps(ctx: Context, monotonicMs: () => number = () => performance.now()): Job {
  /** The clock's time when the monotonic one was at zero. */
  let zeroMs = Number.POSITIVE_INFINITY
  let doneAtMs = 0
  return {
    name: 'maintenance.clock',
    everySeconds: 5,
    run: async () => {
      const now = ctx.clock().getTime()
      const zero = now - monotonicMs()
      const isSetBack = zero < zeroMs - stepMs
      if (isSetBack && zeroMs !== Number.POSITIVE_INFINITY)
        ctx.log.warn({ seconds: Math.round((zeroMs - zero) / 1_000) }, 'the clock was set back')
      if (isSetBack || monotonicMs() - doneAtMs >= atLeastEveryMs) {
        await hastenDeliveries(ctx.unguarded, now)
        await hastenEvents(ctx.unguarded, now)
        await hastenMessages(ctx.unguarded, now)
        doneAtMs = monotonicMs()
        ctx.outbox.wake()
        ctx.jobs.wake(sequenceJob)
        ctx.jobs.wake(deliverJob)
      }
      zeroMs = zero
      return false
    },
  }
}

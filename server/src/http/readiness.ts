import { randomBytes } from 'node:crypto'
import type { Context } from '../core/context.ts'
import { toTimestamp } from '../core/time.ts'
import type { UnavailableReason } from '../db/failures.ts'
import { probeWriting } from '../db/write-probe.ts'

const everyMs = 5_000
/** After a failure, a try needs this much room: on a full disk, a small row may still find some. */
const roomBytes = 256 * 1024

export interface Readiness {
  /** Why nothing can be written; undefined if it can. */
  readonly findReason: () => Promise<UnavailableReason | undefined>
  /** Has it tried again at the next question, because a request failed. */
  readonly doubt: () => void
}

/**
 * Knows whether the database can be written to. Whoever asks has it tried: every five seconds, and each time while it
 * fails, so that recovery is noticed at once. Several who ask at the same time share one try.
 */
export function createReadiness(ctx: Pick<Context, 'unguarded' | 'clock' | 'log'>): Readiness {
  let reason: UnavailableReason | undefined
  let triedAtMs: number | undefined
  let isDoubtful = false
  let trying: Promise<UnavailableReason | undefined> | undefined

  /** Either direction: the clock may be set back. */
  const isFresh = () => triedAtMs !== undefined && Math.abs(ctx.clock().getTime() - triedAtMs) < everyMs

  const tryNow = async () => {
    const now = ctx.clock()
    const room = isDoubtful ? randomBytes(roomBytes).toString('base64') : ''
    const found = await probeWriting(ctx.unguarded, toTimestamp(now) + room)
    isDoubtful = found !== undefined
    if (found !== reason && found !== undefined) ctx.log.error({ reason: found }, 'not ready: nothing can be written')
    if (found !== reason && found === undefined) ctx.log.info({}, 'ready: the database can be written to again')
    reason = found
    triedAtMs = found === undefined ? now.getTime() : undefined
    trying = undefined
    return found
  }
  return {
    findReason: () => {
      if (isFresh()) return Promise.resolve(reason)
      trying ??= tryNow()
      return trying
    },
    doubt: () => {
      isDoubtful = true
      triedAtMs = undefined
    },
  }
}

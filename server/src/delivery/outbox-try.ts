import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { type Clock, toTimestamp } from '../core/time.ts'
import type { RootDb } from '../db/database.ts'
import type { Bodies } from './bodies.ts'
import type { DeliveryRow } from './deliveries.table.ts'
import type { Outgoing, Transport } from './message.ts'
import { finishTry, type Outcome } from './outbox.queries.ts'
import { redact, secretsIn } from './redact.ts'
import { openSecrets } from './secrets.ts'

/** The lease on a message. A live node renews it; after a node dies, others wait this long. */
export const leaseMs = 10_000
export const renewMs = 3_000
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000
const writeTries = 20
const writeAgainMs = 500

export interface TryParts {
  readonly db: RootDb
  readonly clock: Clock
  readonly log: Log
  readonly sealer: Sealer
  readonly transport: Transport
  readonly bodies: Bodies
}

/** One attempt at a message that this node has leased: sends it and records the outcome. */
export async function tryDelivery(parts: TryParts, row: DeliveryRow): Promise<void> {
  const { db, clock } = parts
  const renewal = setInterval(() => {
    finishTry(db, row, { due_ms: clock().getTime() + leaseMs }).catch(() => {})
  }, renewMs)
  try {
    await write(parts, row, await attempt(parts, row))
  } finally {
    clearInterval(renewal)
  }
}

/** A sent message that is not marked as sent would be sent again, so a short outage of the database is waited out. */
async function write({ db, log }: TryParts, row: DeliveryRow, outcome: Outcome): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      await finishTry(db, row, outcome)
      return
    } catch (error) {
      if (tried === writeTries) {
        log.error({ err: error, delivery: row.id }, 'the outcome of a message could not be written')
        return
      }
      await pause(writeAgainMs)
    }
  }
}

/** Sends a message once and returns the outcome to record. */
export async function attempt(parts: TryParts, stored: DeliveryRow): Promise<Outcome> {
  const row = openSecrets(parts.sealer, stored)
  // An expired code or link is useless; any other message is worth sending however late.
  if (row.secret === 1 && parts.clock().getTime() > row.give_up_ms) {
    return failureOf(parts, row, 'It could not be sent while it was of use.')
  }
  try {
    const status = await parts.transport.send(toOutgoing(await parts.bodies.merge(row)))
    const now = toTimestamp(parts.clock())
    return { status, sent_at: now, updated_at: now, last_error: null, ...(status === 'sent' ? erased(row) : {}) }
  } catch (error) {
    return failureOf(parts, row, (error as Error).message)
  }
}

function failureOf({ clock, log }: TryParts, row: DeliveryRow, reason: string): Outcome {
  const now = clock()
  const last_error = redact(reason, row.secret === 1 ? secretsIn(row.body_text ?? '') : [])
  const due_ms = now.getTime() + Math.min(firstRetryMs * 2 ** (row.attempts - 1), longestRetryMs)
  const givenUp = due_ms > row.give_up_ms
  const { id: delivery, kind, attempts } = row
  log.warn({ delivery, kind, attempts, givenUp, reason: last_error }, 'a message was not taken')
  const common = { last_error, updated_at: toTimestamp(now) }
  return givenUp ? { ...common, status: 'failed', ...erased(row) } : { ...common, status: 'queued', due_ms }
}

const erased = (row: DeliveryRow) => (row.secret === 1 ? { body_text: null, body_html: null } : {})

function toOutgoing(row: DeliveryRow): Outgoing {
  return {
    kind: row.kind,
    template: row.template,
    userId: row.user_id,
    recipient: row.recipient,
    subject: row.subject,
    text: row.body_text ?? '',
    html: row.body_html,
    secret: row.secret === 1,
    messageId: row.message_id,
    headers: row.headers === null ? {} : (JSON.parse(row.headers) as Record<string, string>),
  }
}

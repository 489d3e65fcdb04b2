import type { Log } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import { type Clock, toTimestamp } from '../core/time.ts'
import type { Bodies } from './bodies.ts'
import { type DeliveryKind, type DeliveryRow, deliveryKinds } from './deliveries.table.ts'
import {
  type Outgoing,
  RecipientRefusedError,
  RecipientUnknownError,
  ServerBusyError,
  type Transport,
} from './message.ts'
import type { Outcome } from './outbox.queries.ts'
import { redact, secretsIn } from './redact.ts'
import { openSecrets } from './secrets.ts'

const firstRetryMs = 5_000
export const longestRetryMs = 3_600_000
/**
 * How many attempts a recipient gets whom the server does not know: over 43 minutes. One would not do: some servers say that
 * of everybody while their directory is unavailable, or of a mailbox that was created a moment ago.
 */
const triesOfUnknown = 10

export interface AttemptParts {
  readonly clock: Clock
  readonly log: Log
  readonly sealer: Sealer
  readonly transport: Transport
  readonly bodies: Bodies
}

const failures = new Map<DeliveryKind, number>(deliveryKinds.map((kind) => [kind, 0]))

/** How many attempts failed since this process started. */
export const outboxFailures = (): ReadonlyMap<DeliveryKind, number> => failures

/** What an attempt says about the server: whether it takes messages, or at least refused no more than the recipient. */
export type Verdict = 'taken' | 'recipient refused' | 'failed'

/**
 * Sends a message once and returns the outcome to record. It returns none if the server is busy with other messages of this
 * node, which `othersAreSent` says: then it does not count as an attempt.
 */
export async function attempt(
  parts: AttemptParts,
  stored: DeliveryRow,
  othersAreSent: () => boolean,
): Promise<{ outcome: Outcome; verdict: Verdict } | undefined> {
  const row = openSecrets(parts.sealer, stored)
  // An expired code or link is useless; any other message is worth sending however late.
  if (row.secret === 1 && parts.clock().getTime() > row.give_up_ms) {
    return { outcome: failureOf(parts, row, 'It could not be sent while it was of use.'), verdict: 'failed' }
  }
  try {
    const status = await parts.transport.send(toOutgoing(await parts.bodies.merge(row)))
    const now = toTimestamp(parts.clock())
    const erase = status === 'sent' ? row.secret : 0
    const outcome = { status, sent_at: now, updated_at: now, last_error: null, due_ms: null, erase }
    return { outcome, verdict: 'taken' }
  } catch (error) {
    if (error instanceof ServerBusyError && othersAreSent()) return undefined
    const verdict = error instanceof RecipientRefusedError ? 'recipient refused' : 'failed'
    const isOver = error instanceof RecipientUnknownError && row.attempts >= triesOfUnknown
    return { outcome: failureOf(parts, row, (error as Error).message, isOver), verdict }
  }
}

function failureOf({ clock, log }: AttemptParts, row: DeliveryRow, reason: string, isOver = false): Outcome {
  const now = clock()
  const last_error = redact(reason, row.secret === 1 ? secretsIn(row.body_text ?? '') : [])
  const due_ms = now.getTime() + Math.min(firstRetryMs * 2 ** (row.attempts - 1), longestRetryMs)
  const givenUp = isOver || due_ms > row.give_up_ms
  const { id: delivery, kind, attempts } = row
  failures.set(kind, (failures.get(kind) ?? 0) + 1)
  log.warn({ delivery, kind, attempts, givenUp, reason: last_error }, 'a message was not taken')
  const common = { last_error, sent_at: null, updated_at: toTimestamp(now) }
  return givenUp
    ? { ...common, status: 'failed', due_ms: null, erase: row.secret }
    : { ...common, status: 'queued', due_ms, erase: 0 }
}

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

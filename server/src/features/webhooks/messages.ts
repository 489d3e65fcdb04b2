import { Webhook as Signer } from 'standardwebhooks'
import type { Config } from '../../config.ts'
import type { Sealer } from '../../core/sealing.ts'
import { type EventRow, toPayload } from '../events/payload.ts'

/** The messages about one subject are sent in order. */
export const subjectOf = ({ subject_type, subject_id }: Pick<EventRow, 'subject_type' | 'subject_id'>): string =>
  `${subject_type}:${subject_id ?? ''}`

/** The `webhook-id`: one for each event of this installation, at every attempt and replay. */
export const messageIdOf = (sealer: Sealer, activityId: number): string =>
  `msg_${sealer.sign(String(activityId), 'webhook message').slice(0, 24)}`

export const bodyOf = (event: EventRow, config: Pick<Config, 'publicUrl'>): string =>
  JSON.stringify(toPayload(event, config))

/** The headers of Standard Webhooks, with a signature for each secret. */
export function headersOf(id: string, body: string, secrets: readonly string[]): Record<string, string> {
  const now = new Date() // the receiver's own clock judges it, so it is never a test's
  return {
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Signer(secret).sign(id, now, body)).join(' '),
  }
}

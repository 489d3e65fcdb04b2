import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import type { Sealer } from '../../core/sealing.ts'
import { type EventRow, toPayload } from '../events/payload.ts'

/** The messages about one subject are sent in order. */
export const subjectOf = ({ subject_type, subject_id }: Pick<EventRow, 'subject_type' | 'subject_id'>): string =>
  `${subject_type}:${subject_id ?? ''}`

/** The same in SQL, from `activity as a`. */
export const subjectSql = sql<string>`a.subject_type || ':' || coalesce(cast(a.subject_id as text), '')`

/** The `webhook-id`: one for each event of this installation, at every attempt and replay. */
export const messageIdOf = (sealer: Sealer, activityId: number): string =>
  `msg_${sealer.sign(String(activityId), 'webhook message').slice(0, 24)}`

export const bodyOf = (event: EventRow, config: Pick<Config, 'publicUrl'>): string =>
  JSON.stringify(toPayload(event, config))

/** Standard Webhooks 1.0, version 1: HMAC-SHA-256 of id, time and body. Its library does it in JavaScript, which takes ten times as long. */
const signatureOf = (key: KeyObject, signed: string): string =>
  `v1,${createHmac('sha256', key).update(signed).digest('base64')}`

/** The key of a `whsec_` secret. As an object it is read once, not for each message. */
export const signingKeyOf = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64'))

/** The headers of Standard Webhooks, with a signature for each key. */
export function headersOf(id: string, body: string, keys: readonly KeyObject[]): Record<string, string> {
  // The receiver's own clock judges it, so it is never a test's.
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    'content-type': 'application/json',
    'user-agent': 'Gatehouse-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': keys.map((key) => signatureOf(key, signed)).join(' '),
  }
}

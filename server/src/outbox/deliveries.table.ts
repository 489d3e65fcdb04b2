import type { Generated, Selectable } from 'kysely'

export type DeliveryKind = 'mail' | 'sms'
/** `captured`: stored for reading because no server is configured. `failed`: given up. */
export type DeliveryStatus = 'queued' | 'sending' | 'sent' | 'failed' | 'captured'
export const deliveryKinds: readonly DeliveryKind[] = ['mail', 'sms']
export const deliveryStatuses: readonly DeliveryStatus[] = ['queued', 'sending', 'sent', 'failed', 'captured']

export interface DeliveriesTable {
  id: Generated<number>
  kind: DeliveryKind
  /** Which message it is, e.g. `reset-password`. */
  template: string
  status: DeliveryStatus
  user_id: number | null
  recipient: string
  recipient_key: string
  subject: string | null
  /** Null after sending if it held a secret. */
  body_text: string | null
  body_html: string | null
  /** The mail to many that this is; subject and texts are there, and null here. */
  body_id: number | null
  /** The recipient's values in it, JSON object. */
  per_recipient: string | null
  /** 1 for bulk messages, which go after all others. */
  bulk: Generated<number>
  /** Further headers, JSON object. */
  headers: string | null
  /** 1 where the body holds a token or code. */
  secret: number
  /** The same on every attempt, so that a receiver can recognise duplicates. */
  message_id: string
  attempts: number
  last_error: string | null
  /** When to try next. While it is being sent: when another node may take it over. */
  due_ms: number
  /** When attempts end. */
  give_up_ms: number
  created_at: string
  updated_at: string
  sent_at: string | null
}

export type DeliveryRow = Selectable<DeliveriesTable>

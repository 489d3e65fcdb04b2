import type { Generated, Selectable } from 'kysely'

export type DeliveryKind = 'mail' | 'sms'
/** `captured`: kept to be read here, because no server is configured. `failed`: given up. */
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
  /** Null once it is sent, where it held a secret. */
  body_text: string | null
  body_html: string | null
  /** The mail to many that this is; subject and texts are there, and null here. */
  body_id: number | null
  /** The recipient's values in it, JSON object. */
  per_recipient: string | null
  /** 1 where other messages go first. */
  bulk: Generated<number>
  /** Further headers, JSON object. */
  headers: string | null
  /** 1 where the body holds a token or code. */
  secret: number
  /** The same at every try, so that a receiver can tell a duplicate. */
  message_id: string
  attempts: number
  last_error: string | null
  /** When to try next; while it is being sent, when another node may take it over. */
  due_ms: number
  /** When trying ends. */
  give_up_ms: number
  created_at: string
  updated_at: string
  sent_at: string | null
}

export type DeliveryRow = Selectable<DeliveriesTable>

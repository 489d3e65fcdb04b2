import type { Generated, Selectable } from 'kysely'

export interface WebhooksTable {
  id: Generated<number>
  url: string
  /** Patterns, JSON array. */
  events: string
  description: string | null
  enabled: number
  /** Why it was switched off; null while it is on. */
  disabled_reason: 'administrator' | 'gone' | 'failing' | null
  /** Encrypted. */
  secret: string
  /** The secret before the last rotation, encrypted, and until when it signs, too. */
  old_secret: string | null
  old_secret_until_ms: number | null
  /** The event that switched it on, which it does not get. Its cursor says where it begins: ids are not in the order of commits. */
  from_id: number
  created_at: string
  updated_at: string
}
export type WebhookRow = Selectable<WebhooksTable>

/** Where each webhook is in the order of events, and which node sends. */
export interface WebhookQueuesTable {
  webhook_id: number
  /** Events up to this position are sent, or are in `webhook_messages`. */
  cursor: number
  holder: string | null
  lease_until_ms: Generated<number>
  /** Since when nothing but failures came; null after a success. */
  failing_since_ms: number | null
}

/** Events that are to be sent to a webhook. */
export interface WebhookMessagesTable {
  webhook_id: number
  position: number
  activity_id: number
  /** `user:17`. The messages about one subject are sent in order. */
  subject: string
  attempts: number
  /** When to send it; null while an earlier message about the same subject waits. */
  due_ms: number | null
}

export interface WebhookAttemptsTable {
  id: Generated<number>
  webhook_id: number
  activity_id: number
  type: string
  /** Null where no answer came. */
  status: number | null
  error: string | null
  duration_ms: number
  answer: string | null
  created_at: string
}
export type WebhookAttemptRow = Selectable<WebhookAttemptsTable>

import type { Generated, Selectable } from '@gatehouse/plugin-kit'

export interface AnnouncementsTable {
  id: Generated<number>
  /** The author; stays when the user is deleted. */
  user_id: number
  title: string
  /** The form that is sorted and filtered. */
  title_key: string
  title_folded: string
  body: string
  body_folded: string
  /** The body as HTML, rendered when the body changes. */
  parsed_body: string
  created_at: string
  updated_at: string
}
export type AnnouncementRow = Selectable<AnnouncementsTable>

export type NotificationStatus = 'running' | 'done' | 'cancelled'

/** The mails of one announcement, and the position of the walk through the users. Columns that end in `_ms` are epoch milliseconds. */
export interface NotificationsTable {
  announcement_id: number
  /** The id of the batch in the outbox. */
  batch_id: number
  status: NotificationStatus
  /** The last user that was processed. */
  place: number
  /** The newest user at the start: later ones are not mailed. */
  last_user_id: number
  is_walked: 0 | 1
  /** Set when nothing is queued any more: `total`, `sent` and `failed` are what remains of the deliveries. */
  is_final: 0 | 1
  /** The number of Active users at the start. */
  total: number
  /** The number of unsubscribed users that were skipped. */
  skipped: number
  sent: number
  failed: number
  /** When the next mails may be queued, with a limited rate. */
  next_ms: number
  created_at: string
}
export type NotificationRow = Selectable<NotificationsTable>

/** Users who have unsubscribed from announcements by mail. */
export interface OptOutsTable {
  user_id: number
  /** Whether the user is Active, so that the number of recipients is right. */
  is_active: 0 | 1
  created_at: string
}

/** Everything up to `read_to` is read. */
export interface ReadMarksTable {
  user_id: number
  read_to: number
}

/** What is read beyond the mark. */
export interface ReadsTable {
  user_id: number
  announcement_id: number
}

export interface Tables {
  announcements: AnnouncementsTable
  announcement_notifications: NotificationsTable
  announcement_opt_outs: OptOutsTable
  announcement_read_marks: ReadMarksTable
  announcement_reads: ReadsTable
}

import type { Generated, Selectable } from '@gatehouse/plugin-kit'

export interface AnnouncementsTable {
  id: Generated<number>
  /** Who wrote it; stays when the user is deleted. */
  user_id: number
  title: string
  /** What is sorted, and what filters look into. */
  title_key: string
  title_folded: string
  body: string
  body_folded: string
  /** The body as HTML; made when the body changes, not when it is read. */
  parsed_body: string
  created_at: string
  updated_at: string
}
export type AnnouncementRow = Selectable<AnnouncementsTable>

export type NotificationStatus = 'running' | 'done' | 'cancelled'

/** The mails of one announcement, and how far the walk through the users is. Columns that end in `_ms` are epoch milliseconds. */
export interface NotificationsTable {
  announcement_id: number
  /** Of the mail in the outbox. */
  batch_id: number
  status: NotificationStatus
  /** The last user that the walk has passed. */
  place: number
  /** The newest user when it began: who came later is not mailed. */
  last_user_id: number
  is_walked: 0 | 1
  /** Nothing of it waits any more: `total`, `sent` and `failed` are what remains of the deliveries. */
  is_final: 0 | 1
  /** The Active users when it began. */
  total: number
  /** Who had unsubscribed when the walk came by. */
  skipped: number
  sent: number
  failed: number
  /** When the next mails may follow, where the pace is bound. */
  next_ms: number
  created_at: string
}
export type NotificationRow = Selectable<NotificationsTable>

/** Who wants no announcements by mail. */
export interface OptOutsTable {
  user_id: number
  /** Whether the user is Active, so that the number of those who get a mail is right. */
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

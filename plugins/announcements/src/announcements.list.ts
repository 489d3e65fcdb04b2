import type { Include, ListDefinition } from '@gatehouse/plugin-kit'
import { Announcement } from './announcements.schemas.ts'
import { findNotificationsOf } from './notifications.service.ts'
import { findUnread } from './read-state.service.ts'
import { type AnnouncementsHost, manage } from './shape.ts'
import type { AnnouncementRow } from './tables.ts'

/** The announcement as answers show it. */
export const toAnnouncement = (row: AnnouncementRow) => ({
  id: row.id,
  user_id: row.user_id,
  title: row.title,
  body: row.body,
  parsed_body: row.parsed_body,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

type Included = 'user' | 'read_state' | 'notifications'

export const includesOf = (host: AnnouncementsHost): Record<Included, Include<AnnouncementRow>> => ({
  user: host.users.include((row: AnnouncementRow) => row.user_id),
  read_state: {
    key: ({ id }) => id,
    load: async (ids, { userId }) => {
      const unread = await findUnread(host, userId as number, ids)
      return new Map(ids.map((id) => [id, { is_read: !unread.has(id) }]))
    },
  },
  notifications: {
    key: ({ id }) => id,
    load: async (ids, { may }) => (may(manage.permission) ? findNotificationsOf(host, ids) : new Map()),
  },
})

export const listOf = (host: AnnouncementsHost): ListDefinition<AnnouncementRow> => ({
  table: 'announcements',
  columns: ['id', 'user_id', 'title', 'title_key', 'body', 'parsed_body', 'created_at', 'updated_at'],
  sorts: {
    id: { column: 'id', type: 'number' },
    created_at: { column: 'created_at', type: 'text' },
    title: { column: 'title_key', type: 'text' },
  },
  defaultSort: '-id', // newest first, also of those of one second
  filters: {
    title: { kind: 'contains', column: 'title_folded' },
    body: { kind: 'contains', column: 'body_folded' },
    user: { kind: 'id', column: 'user_id' },
  },
  includes: includesOf(host),
  item: Announcement,
  toItem: toAnnouncement,
})

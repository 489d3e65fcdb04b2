import { named, type Static, Type } from '@gatehouse/plugin-kit'

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

export const AnnouncementNotifications = named(
  'AnnouncementNotifications',
  Type.Object({
    status: Type.Unsafe<'running' | 'done' | 'cancelled'>({
      type: 'string',
      enum: ['running', 'done', 'cancelled'],
      examples: ['running'],
    }),
    total: count('The users that were active when it began. The other four add up to it at any time.', 1200),
    queued: count('Who will still get it.', 200),
    sent: count('What the mail server has taken, or was captured.', 990),
    failed: count('What the mail server refused for good.', 2),
    skipped: count('Who had unsubscribed, is not active any more, or was spared by a cancellation.', 8),
  }),
)
export type AnnouncementNotifications = Static<typeof AnnouncementNotifications>

export const AnnouncementRecipients = named(
  'AnnouncementRecipients',
  Type.Object({
    count: count('How many would get a mail now: the active users without those who unsubscribed.', 1192),
    unsubscribed: count('The active users who want no announcements by mail.', 8),
  }),
)

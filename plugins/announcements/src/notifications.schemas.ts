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
    total: count('The users that were active at the start. The other four always add up to it.', 1200),
    queued: count('Recipients whose mail has not been sent yet.', 200),
    sent: count('Mails that the mail server has accepted, or that were captured.', 990),
    failed: count('Mails that the mail server refused permanently.', 2),
    skipped: count('Users who had unsubscribed, are no longer active, or were skipped by a cancellation.', 8),
  }),
)
export type AnnouncementNotifications = Static<typeof AnnouncementNotifications>

export const AnnouncementRecipients = named(
  'AnnouncementRecipients',
  Type.Object({
    count: count(
      'The number of users who would get a mail now: the active users without those who unsubscribed.',
      1192,
    ),
    unsubscribed: count('The number of active users who have unsubscribed.', 8),
  }),
)

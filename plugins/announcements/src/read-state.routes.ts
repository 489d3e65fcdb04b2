import { type Call, Id, named, type Route, type Static, Type } from '@gatehouse/plugin-kit'
import { markRead } from './read-state.service.ts'
import type { AnnouncementsHost } from './shape.ts'

const ReadAnnouncements = named(
  'ReadAnnouncements',
  Type.Object({
    ids: Type.Optional(
      Type.Array(Id, { maxItems: 1000, description: 'Those; all where it is not sent.', examples: [[3, 4]] }),
    ),
  }),
)
type ReadAnnouncements = Static<typeof ReadAnnouncements>

const Unread = named(
  'UnreadAnnouncements',
  Type.Object({ unread: Type.Integer({ description: 'How many the caller has not read now.', examples: [0] }) }),
)

export const readStateRoutes = (host: AnnouncementsHost): Route[] => [
  {
    method: 'POST',
    path: '/announcements/read',
    operationId: 'readAnnouncements',
    summary: 'Mark announcements as read',
    description: 'For the caller alone. A new account has not missed what was published before it.',
    access: 'authenticated',
    body: ReadAnnouncements,
    answer: Unread,
    handle: async ({ actor, body }: Call<ReadAnnouncements>) => ({
      unread: await markRead(host, actor, body.accept().ids),
    }),
  },
]

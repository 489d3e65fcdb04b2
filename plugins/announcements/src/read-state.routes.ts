import { type Call, Id, named, type Route, type Static, Type } from '@gatehouse/plugin-kit'
import { markRead } from './read-state.service.ts'
import type { AnnouncementsHost } from './shape.ts'

const ReadAnnouncements = named(
  'ReadAnnouncements',
  Type.Object({
    ids: Type.Optional(
      Type.Array(Id, { maxItems: 1000, description: 'The ids to mark; default: all.', examples: [[3, 4]] }),
    ),
  }),
)
type ReadAnnouncements = Static<typeof ReadAnnouncements>

const Unread = named(
  'UnreadAnnouncements',
  Type.Object({
    unread: Type.Integer({ description: 'The number of announcements that the caller has not read.', examples: [0] }),
  }),
)

export const readStateRoutes = (host: AnnouncementsHost): Route[] => [
  {
    method: 'POST',
    path: '/announcements/read',
    operationId: 'readAnnouncements',
    summary: 'Mark announcements as read',
    description: 'Only for the caller. For a new account, everything published before it counts as read.',
    access: 'authenticated',
    body: ReadAnnouncements,
    answer: Unread,
    handle: async ({ actor, body }: Call<ReadAnnouncements>) => ({
      unread: await markRead(host, actor, body.accept().ids),
    }),
  },
]

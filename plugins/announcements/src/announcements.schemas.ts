import { Id, IncludedUser, named, type Static, Timestamp, Type } from '@gatehouse/plugin-kit'
import { AnnouncementNotifications } from './notifications.schemas.ts'

const title = Type.String({ minLength: 1, maxLength: 150, examples: ['New opening hours'] })
const body = Type.String({
  minLength: 1,
  maxLength: 20_000,
  description: 'Markdown: CommonMark and tables; HTML in it is shown as text.',
  examples: ['From **Monday** on we open at 8.'],
})
const parsedBody = Type.String({
  description: 'The body as sanitised HTML.',
  examples: ['<p>From <strong>Monday</strong> on we open at 8.</p>\n'],
})

/** Clients of this interface also send it as text, which is parsed like every boolean. */
const flag = Type.Boolean()

const ReadState = Type.Object({ is_read: Type.Boolean({ description: 'By the caller.', examples: [true] }) })

/** What `include=notifications` adds; null if none were requested, and for callers who may not see them. */
const IncludedNotifications = Type.Unsafe<object | null>({ anyOf: [AnnouncementNotifications, { type: 'null' }] })

export const Announcement = named(
  'Announcement',
  Type.Object({
    id: Id,
    user_id: { ...Id, description: 'Who wrote it.' },
    title,
    body,
    parsed_body: parsedBody,
    created_at: Timestamp,
    updated_at: Timestamp,
    user: Type.Optional(IncludedUser),
    read_state: Type.Optional(ReadState),
    notifications: Type.Optional(IncludedNotifications),
  }),
)

export const CreateAnnouncement = named(
  'CreateAnnouncement',
  Type.Object({
    title,
    body,
    email_notifications: Type.Optional({
      ...flag,
      description: 'Whether every active user gets it by mail; default: false.',
      examples: [true],
    }),
    email_notification: Type.Optional({
      ...flag,
      deprecated: true,
      description: 'Used if `email_notifications` is missing.',
      examples: [true],
    }),
  }),
)
export type CreateAnnouncement = Static<typeof CreateAnnouncement>

export const UpdateAnnouncement = named(
  'UpdateAnnouncement',
  Type.Object({ title: Type.Optional(title), body: Type.Optional(body) }),
)
export type UpdateAnnouncement = Static<typeof UpdateAnnouncement>

export const PreviewAnnouncement = named('PreviewAnnouncement', Type.Object({ body }))
export type PreviewAnnouncement = Static<typeof PreviewAnnouncement>

export const AnnouncementPreview = named('AnnouncementPreview', Type.Object({ parsed_body: parsedBody }))

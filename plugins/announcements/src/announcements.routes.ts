import { type Call, type Route, Type } from '@gatehouse/plugin-kit'
import { includesOf, listOf, toAnnouncement } from './announcements.list.ts'
import {
  Announcement,
  AnnouncementPreview,
  CreateAnnouncement,
  PreviewAnnouncement,
  UpdateAnnouncement,
} from './announcements.schemas.ts'
import {
  createAnnouncement,
  deleteAnnouncement,
  getAnnouncement,
  previewAnnouncement,
  updateAnnouncement,
} from './announcements.service.ts'
import type { renderMarkdown } from './markdown.ts'
import { countUnread } from './read-state.service.ts'
import { type AnnouncementsHost, manage } from './shape.ts'

/** 20,000 characters have up to 240,000 bytes if JSON escapes each of them. */
const maxBodyBytes = 256 * 1024

export function announcementsRoutes(host: AnnouncementsHost): Route[] {
  const render = host.inThread<typeof renderMarkdown>(new URL('./markdown.ts', import.meta.url), 'renderMarkdown')
  return [
    {
      method: 'GET',
      path: '/announcements',
      operationId: 'listAnnouncements',
      summary: 'Paginate announcements',
      access: 'authenticated',
      list: listOf(host),
      meta: {
        schema: Type.Object({
          unread: Type.Integer({
            description: 'The number of announcements that the caller has not read.',
            examples: [2],
          }),
        }),
        load: async ({ actor }: Call) => ({ unread: await countUnread(host, actor.userId as number) }),
      },
    },
    {
      method: 'POST',
      path: '/announcements',
      operationId: 'createAnnouncement',
      summary: 'Create an announcement',
      access: manage,
      body: CreateAnnouncement,
      maxBodyBytes,
      answer: Announcement,
      status: 201,
      toItem: toAnnouncement,
      handle: ({ actor, body }: Call<CreateAnnouncement>) => createAnnouncement(host, actor, body, render),
    },
    {
      method: 'POST',
      path: '/announcements/preview',
      operationId: 'previewAnnouncement',
      summary: 'Render a body',
      description: 'Exactly what would be stored as `parsed_body`; nothing is stored.',
      access: manage,
      body: PreviewAnnouncement,
      maxBodyBytes,
      answer: AnnouncementPreview,
      handle: ({ body }: Call<PreviewAnnouncement>) => previewAnnouncement(body, render),
    },
    {
      method: 'GET',
      path: '/announcements/{id}',
      operationId: 'getAnnouncement',
      summary: 'Get an announcement',
      access: 'authenticated',
      includes: includesOf(host),
      answer: Announcement,
      toItem: toAnnouncement,
      handle: ({ id }) => getAnnouncement(host, id),
    },
    {
      method: 'PATCH',
      path: '/announcements/{id}',
      operationId: 'updateAnnouncement',
      summary: 'Update an announcement',
      description: 'Fields that are not sent stay unchanged. Nobody is mailed again.',
      access: manage,
      body: UpdateAnnouncement,
      maxBodyBytes,
      answer: Announcement,
      toItem: toAnnouncement,
      handle: ({ actor, id, body }: Call<UpdateAnnouncement>) => updateAnnouncement(host, actor, id, body, render),
    },
    {
      method: 'DELETE',
      path: '/announcements/{id}',
      operationId: 'deleteAnnouncement',
      summary: 'Delete an announcement',
      description: 'Unsent mails are cancelled.',
      access: manage,
      answer: 'success',
      handle: ({ actor, id }) => deleteAnnouncement(host, actor, id),
    },
  ]
}

import type { Route } from '@gatehouse/plugin-kit'
import { getAnnouncement } from './announcements.service.ts'
import { AnnouncementNotifications, AnnouncementRecipients } from './notifications.schemas.ts'
import { countRecipients, getNotifications, startNotifications, stopNotifications } from './notifications.service.ts'
import { type AnnouncementsHost, manage } from './shape.ts'

const path = '/announcements/{id}/notifications'

export const notificationsRoutes = (host: AnnouncementsHost): Route[] => [
  {
    method: 'GET',
    path: '/announcements/recipients',
    operationId: 'getAnnouncementRecipients',
    summary: 'Count the users who would be mailed',
    access: manage,
    answer: AnnouncementRecipients,
    handle: () => countRecipients(host),
  },
  {
    method: 'GET',
    path,
    operationId: 'getAnnouncementNotifications',
    summary: 'Get the progress of the mails of an announcement',
    description: '404 if none were requested.',
    access: manage,
    answer: AnnouncementNotifications,
    handle: ({ id }) => getNotifications(host, id),
  },
  {
    method: 'POST',
    path,
    operationId: 'startAnnouncementNotifications',
    summary: 'Mail an announcement to every active user',
    description: 'Once for each announcement; 422 if it has been mailed before, even if that was cancelled.',
    access: manage,
    answer: AnnouncementNotifications,
    status: 201,
    mayBeRefused: true,
    handle: async ({ actor, id }) => {
      const started = await host.transaction(actor, async (tx) => {
        await startNotifications(tx, await getAnnouncement(tx, id))
        return getNotifications(tx, id)
      })
      host.wake('notify')
      return started
    },
  },
  {
    method: 'DELETE',
    path,
    operationId: 'cancelAnnouncementNotifications',
    summary: 'Stop mailing an announcement',
    description: 'Unsent mails are cancelled. If all have been sent, nothing changes.',
    access: manage,
    answer: AnnouncementNotifications,
    handle: ({ actor, id }) => stopNotifications(host, actor, id),
  },
]

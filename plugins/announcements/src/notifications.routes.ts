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
    summary: 'How many users an announcement would be mailed to',
    access: manage,
    answer: AnnouncementRecipients,
    handle: () => countRecipients(host, host.db),
  },
  {
    method: 'GET',
    path,
    operationId: 'getAnnouncementNotifications',
    summary: 'How far the mails of an announcement are',
    description: '404 where none were asked for.',
    access: manage,
    answer: AnnouncementNotifications,
    handle: ({ id }) => getNotifications(host, host.db, id),
  },
  {
    method: 'POST',
    path,
    operationId: 'startAnnouncementNotifications',
    summary: 'Mail an announcement to every active user',
    description: 'Once for each announcement; 422 where it has been mailed before, also where that was cancelled.',
    access: manage,
    answer: AnnouncementNotifications,
    status: 201,
    mayBeRefused: true,
    handle: async ({ actor, id }) => {
      const started = await host.transaction(async (db) => {
        await startNotifications(host, db, actor, await getAnnouncement(host, db, id))
        return getNotifications(host, db, id)
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
    description: 'What was not sent is not sent any more. Where all has been sent, nothing changes.',
    access: manage,
    answer: AnnouncementNotifications,
    handle: ({ actor, id }) => stopNotifications(host, actor, id),
  },
]

import { definePlugin } from '@gatehouse/plugin-kit'
import { announcementsRoutes } from './announcements.routes.ts'
import { initial } from './migrations/0001-initial.ts'
import { notificationsRoutes } from './notifications.routes.ts'
import { notifyJob } from './notifications.walk.ts'
import { reactions, reactionsToMany } from './reactions.ts'
import { readStateRoutes } from './read-state.routes.ts'
import { errors, type Shape, settings } from './shape.ts'
import { unsubscribeRoutes } from './unsubscribe.routes.ts'

export default definePlugin<Shape>({
  id: 'announcements',
  migrations: { '0001-initial': initial },
  permissions: [
    {
      name: 'announcements.manage',
      display_name: 'Manage announcements',
      description: 'Write, change, delete and mail announcements.',
    },
  ],
  events: [
    'announcement.created',
    'announcement.updated',
    'announcement.deleted',
    'announcement.notifications_started',
    'announcement.notifications_cancelled',
    'announcement.subscribed',
    'announcement.unsubscribed',
  ],
  settings,
  errors,
  mails: new URL('./mails/', import.meta.url),
  openEvents: ['announcement.created', 'announcement.updated', 'announcement.deleted'],
  routes: (host) => [
    ...announcementsRoutes(host),
    ...notificationsRoutes(host),
    ...unsubscribeRoutes(host),
    ...readStateRoutes(host),
  ],
  jobs: (host) => [notifyJob(host)],
  on: () => reactions,
  onMany: () => reactionsToMany,
})

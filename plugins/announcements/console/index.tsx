import { defineConsolePlugin } from '@gatehouse/plugin-kit/console'
import { AnnouncementCreate } from './AnnouncementCreate.tsx'
import { AnnouncementEdit } from './AnnouncementEdit.tsx'
import { AnnouncementList } from './AnnouncementList.tsx'
import { AnnouncementShow } from './AnnouncementShow.tsx'
import { manage } from './announcement.ts'
import { Megaphone } from './icons.tsx'
import { Banner, BarBadge, MenuBadge } from './unread.tsx'

/** Announcements in the console: everybody reads them, who manages them writes and mails them. */
export default defineConsolePlugin({
  id: 'announcements',
  resources: [
    {
      name: 'announcements',
      label: 'Announcements',
      icon: Megaphone,
      badge: MenuBadge,
      group: 'overview',
      list: AnnouncementList,
      show: AnnouncementShow,
      create: AnnouncementCreate,
      edit: AnnouncementEdit,
      recordRepresentation: ({ title }) => String(title),
      permission: { read: [], write: manage },
    },
  ],
  events: {
    'announcement.notifications_started': 'started to send an announcement by mail',
    'announcement.notifications_cancelled': 'stopped sending an announcement by mail',
    'announcement.subscribed': 'turned on announcements by mail for',
    'announcement.unsubscribed': 'turned off announcements by mail for',
  },
  banner: Banner,
  badge: BarBadge,
})

import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/SensorsOutlined'
import { EventsPage } from './EventsPage.tsx'

/** The feed of events, as it goes on. */
export const events: ConsolePage = {
  path: '/events',
  label: 'Events',
  icon: Icon,
  group: 'system',
  component: EventsPage,
  permission: 'events.read',
}

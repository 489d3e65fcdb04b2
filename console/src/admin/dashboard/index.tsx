import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/SpaceDashboardOutlined'
import { Dashboard, dashboardNeeds } from './Dashboard.tsx'

/** The start page of whoever administers something. */
export const dashboard: Omit<ConsolePage, 'path'> = {
  label: 'Dashboard',
  icon: Icon,
  component: Dashboard,
  permission: dashboardNeeds,
}

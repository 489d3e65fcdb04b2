import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/SettingsOutlined'
import { readPermissions, SettingsPage } from './SettingsPage.tsx'

export const settings: ConsolePage = {
  path: '/settings',
  label: 'Settings',
  icon: Icon,
  group: 'system',
  component: SettingsPage,
  permission: [...readPermissions, 'settings.notifications'],
}

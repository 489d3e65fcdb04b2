import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/SettingsOutlined'
import { SettingsPage } from './SettingsPage.tsx'

export const settings: ConsolePage = {
  path: '/settings',
  label: 'Settings',
  icon: Icon,
  group: 'system',
  component: SettingsPage,
  permission: ['settings.auth', 'settings.general'],
}

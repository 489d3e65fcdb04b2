import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/AccountCircleOutlined'
import { AccountPage } from './AccountPage.tsx'

/** The user's own account; the start page of users who administer nothing. */
export const account: ConsolePage = {
  path: '/account',
  label: 'My account',
  icon: Icon,
  component: AccountPage,
}

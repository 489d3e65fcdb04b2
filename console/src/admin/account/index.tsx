import type { ConsolePage } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/AccountCircleOutlined'
import { AccountPage } from './AccountPage.tsx'

/** One's own account, for everybody who is signed in; the start page of who administers nothing. */
export const account: ConsolePage = {
  path: '/account',
  label: 'My account',
  icon: Icon,
  component: AccountPage,
}

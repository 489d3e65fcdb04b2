import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/HistoryOutlined'
import { ActivityList } from './ActivityList.tsx'

/** The audit log: nobody writes it by hand. */
export const activity: ConsoleResource = {
  name: 'activity',
  label: 'Activity',
  icon: Icon,
  group: 'system',
  list: ActivityList,
  permission: { read: 'users.activity', write: [] },
}

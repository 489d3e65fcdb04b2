import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/BadgeOutlined'
import { RoleList } from './RoleList.tsx'

/** Roles: whoever manages users has to see them, `roles.manage` changes them. */
export const roles: ConsoleResource = {
  name: 'roles',
  label: 'Roles',
  icon: Icon,
  group: 'access',
  list: RoleList,
  recordRepresentation: 'display_name',
  permission: { read: ['roles.manage', 'users.manage'], write: 'roles.manage' },
}

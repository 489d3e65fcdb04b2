import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/BadgeOutlined'
import { RoleCreate } from './RoleCreate.tsx'
import { RoleEdit } from './RoleEdit.tsx'
import { RoleList } from './RoleList.tsx'

/** Roles: whoever manages users has to see them, `roles.manage` changes them. */
export const roles: ConsoleResource = {
  name: 'roles',
  label: 'Roles',
  icon: Icon,
  group: 'access',
  list: RoleList,
  edit: RoleEdit,
  create: RoleCreate,
  recordRepresentation: (role) => String(role.display_name ?? role.name),
  permission: { read: ['roles.manage', 'users.manage'], write: 'roles.manage' },
}

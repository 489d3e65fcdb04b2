import type { ConsoleResource } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/RuleOutlined'
import { PermissionCreate } from './PermissionCreate.tsx'
import { PermissionEdit } from './PermissionEdit.tsx'
import { PermissionList } from './PermissionList.tsx'

/** Permissions, and which roles hold them. */
export const permissions: ConsoleResource = {
  name: 'permissions',
  label: 'Permissions',
  icon: Icon,
  group: 'access',
  list: PermissionList,
  edit: PermissionEdit,
  create: PermissionCreate,
  recordRepresentation: (permission) => String(permission.display_name ?? permission.name),
  permission: { read: ['permissions.manage', 'roles.manage'], write: 'permissions.manage' },
}

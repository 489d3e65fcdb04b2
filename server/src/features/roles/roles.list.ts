import { canonicalName } from '../../core/text.ts'
import { byNumber, byText, fieldInclude, type ListSpec, textFilter } from '../../http/lists/spec.ts'
import { loadPermissionsOf } from './roles.service.ts'
import type { PermissionRow, RoleRow } from './roles.table.ts'

const named = {
  columns: ['id', 'name', 'name_canonical', 'display_name', 'description', 'removable', 'created_at', 'updated_at'],
  sorts: {
    id: byNumber('id'),
    name: byText('name_canonical'),
    created_at: byText('created_at'),
    updated_at: byText('updated_at'),
  },
  defaultSort: 'id',
  filters: { name: textFilter('name_canonical', canonicalName) },
  includes: {},
} as const

export const roleIncludes = {
  permissions: { key: ({ id }: Pick<RoleRow, 'id'>) => id, load: loadPermissionsOf },
  users_count: fieldInclude,
} as const

export const roleList = {
  table: 'roles',
  ...named,
  columns: [...named.columns, 'two_factor'],
  includes: roleIncludes,
} as const satisfies ListSpec<RoleRow>
export const permissionList = { table: 'permissions', ...named } as const satisfies ListSpec<PermissionRow>

import type { Generated, Selectable } from 'kysely'

/** Whether the users of a role must have a second factor. */
export type TwoFactorRule = 'optional' | 'required'
export const twoFactorRules: readonly TwoFactorRule[] = ['optional', 'required']

interface NamedTable {
  id: Generated<number>
  name: string
  name_canonical: string
  display_name: string | null
  description: string | null
  /** 0 for a built-in role, else 1. */
  removable: number
  created_at: string
  updated_at: string
}

export interface RolesTable extends NamedTable {
  two_factor: Generated<TwoFactorRule>
}

export interface PermissionsTable extends NamedTable {}

export interface RolePermissionsTable {
  role_id: number
  permission_id: number
}

export type RoleRow = Selectable<RolesTable>
export type PermissionRow = Selectable<PermissionsTable>

/** The built-in roles that the first migration creates. */
export const adminRoleId = 1
export const defaultRoleId = 2

import type { Generated, Selectable } from 'kysely'

export interface RolesTable {
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

export interface PermissionsTable extends RolesTable {}

export interface RolePermissionsTable {
  role_id: number
  permission_id: number
}

export type RoleRow = Selectable<RolesTable>
export type PermissionRow = Selectable<PermissionsTable>

/** The built-in roles that the first migration creates. */
export const adminRoleId = 1
export const defaultRoleId = 2

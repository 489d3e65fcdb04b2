import type { PermissionSet } from '../../core/permissions.ts'

/** The permissions that a key is limited to, parsed from the stored list; `all` if it is not limited. */
export const scopeOf = (json: string | null): PermissionSet =>
  json === null ? 'all' : new Set(JSON.parse(json) as string[])

import type { PermissionSet } from '../../core/permissions.ts'

/** What a key is limited to, from the list that is stored with it; all where there is none. */
export const scopeOf = (json: string | null): PermissionSet =>
  json === null ? 'all' : new Set(JSON.parse(json) as string[])

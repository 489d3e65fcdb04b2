import type { PermissionSet } from '../../core/permissions.ts'
import { type Clock, toTimestamp } from '../../core/time.ts'

/** The permissions that a key is limited to, parsed from the stored list; `all` if it is not limited. */
export const scopeOf = (json: string | null): PermissionSet =>
  json === null ? 'all' : new Set(JSON.parse(json) as string[])

/** True from the second at which a key stops working. */
export const hasExpired = ({ expires_at }: { readonly expires_at: string | null }, clock: Clock): boolean =>
  expires_at !== null && expires_at <= toTimestamp(clock())

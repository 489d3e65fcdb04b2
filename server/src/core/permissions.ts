/** The permissions that the core's migrations create. */
export const corePermissions: readonly string[] = [
  'users.manage',
  'users.activity',
  'roles.manage',
  'permissions.manage',
  'settings.general',
  'settings.auth',
  'settings.notifications',
  'api-keys.manage',
  'deliveries.view',
  'events.read',
  'webhooks.manage',
]

/** The permissions of an actor: everything, present and future, or the named ones. */
export type PermissionSet = 'all' | ReadonlySet<string>

export const noPermissions: PermissionSet = new Set()

/** True if `set` contains the permission. */
export const holds = (set: PermissionSet, permission: string): boolean => set === 'all' || set.has(permission)

/** True if `set` contains any of these permissions, or none is named. */
export const holdsAny = (set: PermissionSet, permissions: readonly string[]): boolean =>
  permissions.length === 0 || permissions.some((permission) => holds(set, permission))

/** True if `set` contains everything that `other` does. Only `all` covers `all`: it includes future permissions. */
export function covers(set: PermissionSet, other: PermissionSet): boolean {
  if (set === 'all') return true
  if (other === 'all') return false
  return [...other].every((permission) => set.has(permission))
}

export const isSameSet = (one: PermissionSet, other: PermissionSet): boolean => covers(one, other) && covers(other, one)

/** True if a credential with this scope may change its owner's account: never with a limited scope. */
export const mayChangeOwnAccount = (scope: PermissionSet): boolean => scope === 'all'

/** The intersection of both sets. */
export function intersection(a: PermissionSet, b: PermissionSet): PermissionSet {
  if (a === 'all') return b
  if (b === 'all') return a
  return new Set([...a].filter((permission) => b.has(permission)))
}

/** What an actor may do: everything, present and future, or the named permissions. */
export type PermissionSet = 'all' | ReadonlySet<string>

export const noPermissions: PermissionSet = new Set()

/** Whether `set` holds the permission. */
export const holds = (set: PermissionSet, permission: string): boolean => set === 'all' || set.has(permission)

/** Whether `set` holds any of these permissions; true where none is named. */
export const holdsAny = (set: PermissionSet, permissions: readonly string[]): boolean =>
  permissions.length === 0 || permissions.some((permission) => holds(set, permission))

/** Whether `set` holds everything that `other` does. Nothing but `all` covers `all`: it counts future ones too. */
export function covers(set: PermissionSet, other: PermissionSet): boolean {
  if (set === 'all') return true
  if (other === 'all') return false
  return [...other].every((permission) => set.has(permission))
}

/** Whether a credential with this scope may change its owner's account: none that is limited to a list of permissions. */
export const mayChangeOwnAccount = (scope: PermissionSet): boolean => scope === 'all'

/** What both sets hold. */
export function intersection(a: PermissionSet, b: PermissionSet): PermissionSet {
  if (a === 'all') return b
  if (b === 'all') return a
  return new Set([...a].filter((permission) => b.has(permission)))
}

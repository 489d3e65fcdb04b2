/** What somebody may do: everything, present and future, or the named permissions. */
export type PermissionSet = 'all' | ReadonlySet<string>

export const noPermissions: PermissionSet = new Set()

/** Whether `set` holds the permission. */
export const holds = (set: PermissionSet, permission: string): boolean => set === 'all' || set.has(permission)

/** Whether `set` holds everything that `other` does. Nothing but `all` covers `all`: it counts future ones too. */
export function covers(set: PermissionSet, other: PermissionSet): boolean {
  if (set === 'all') return true
  if (other === 'all') return false
  return [...other].every((permission) => set.has(permission))
}

/** What both sets hold. */
export function intersection(a: PermissionSet, b: PermissionSet): PermissionSet {
  if (a === 'all') return b
  if (b === 'all') return a
  return new Set([...a].filter((permission) => b.has(permission)))
}

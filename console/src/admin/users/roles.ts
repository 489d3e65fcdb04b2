import { useQuery } from '@tanstack/react-query'
import { fetchAll } from '../data-provider.ts'
import { isAdminRole, type Role } from '../roles/grants.ts'
import { type Session, type User, useSession } from '../session.ts'

export interface RoleChoice extends Role {
  /** What it is called. */
  readonly title: string
  /** It holds no permission that the current user lacks: they may give it, and change its users. */
  readonly isWithinReach: boolean
}

const fetchRoles = (more: { include?: string } = {}): Promise<Role[]> => fetchAll('/roles', { sort: 'name', ...more })

async function fetchChoices({ user, permissions: held }: Session): Promise<RoleChoice[]> {
  const roles = await fetchRoles()
  const isAdmin = roles.some((role) => role.id === user.role_id && isAdminRole(role))
  const isWithinReach = (role: Role) =>
    isAdmin || (!isAdminRole(role) && (role.permissions ?? []).every(({ name }) => held.has(name)))
  return (isAdmin ? roles : await fetchRoles({ include: 'permissions' })).map((role) => ({
    ...role,
    title: role.display_name ?? role.name,
    isWithinReach: isWithinReach(role),
  }))
}

const none: RoleChoice[] = []

/** Every role, by name, as the query that loads them. */
export function useRoleChoices(enabled = true) {
  const session = useSession()
  return useQuery({
    queryKey: ['roles', 'choices', session.user.role_id],
    queryFn: () => fetchChoices(session),
    staleTime: 30_000,
    enabled,
  })
}

/** Every role, by name; none while they are loaded. */
export const useRoles = (): RoleChoice[] => useRoleChoices().data ?? none

export const useRoleTitle = (id: number | undefined): string | undefined =>
  useRoles().find((role) => role.id === id)?.title

/** Whether the current user may change a user: not one who holds a permission that they lack. */
export function useMayChange({ role_id }: Pick<User, 'role_id'>): boolean {
  const { permissions } = useSession()
  // Who may change nobody may not read the roles either.
  const { data: roles = none } = useRoleChoices(permissions.has('users.manage'))
  return roles.find(({ id }) => id === role_id)?.isWithinReach ?? false
}

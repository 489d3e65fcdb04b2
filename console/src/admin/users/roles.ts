import type { components } from '@gatehouse/client'
import { useQuery } from '@tanstack/react-query'
import { call, eachOf } from '../data-provider.ts'
import { type Session, type User, useSession } from '../session.ts'

type Role = components['schemas']['Role']
type Permission = components['schemas']['Permission']

/** The role that holds every permission, present and future. */
const adminRole = 'Admin'

export interface RoleChoice extends Role {
  /** What it is called. */
  readonly title: string
  /** It holds no permission that the current user lacks: they may give it, and change its users. */
  readonly isWithinReach: boolean
}

async function fetchRoles(): Promise<Role[]> {
  const roles: Role[] = []
  let next: string | null = ''
  while (next !== null) {
    const query: Record<string, string | number> = {
      sort: 'name',
      per_page: 100,
      ...(next === '' ? {} : { cursor: next }),
    }
    const page: { data: Role[]; meta: { next_cursor: string | null } } = await call('GET', '/roles', { query })
    roles.push(...page.data)
    next = page.meta.next_cursor
  }
  return roles
}

async function fetchChoices({ user, permissions }: Session): Promise<RoleChoice[]> {
  const roles = await fetchRoles()
  const isAdmin = roles.find(({ id }) => id === user.role_id)?.name === adminRole
  const reach = await eachOf(roles, async ({ id, name }) => {
    if (isAdmin) return true
    if (name === adminRole) return false
    const { data } = await call<{ data: Permission[] }>('GET', `/roles/${id}/permissions`)
    return data.every((permission) => permissions.has(permission.name))
  })
  return roles.map((role, index) => ({
    ...role,
    title: role.display_name ?? role.name,
    isWithinReach: reach[index] ?? false,
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

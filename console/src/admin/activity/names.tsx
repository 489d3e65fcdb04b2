import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { useGetList, useGetManyAggregate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import type { ApiKey } from '../api-keys/keys.ts'
import { titleOf, usePermissions } from '../roles/grants.ts'
import type { User } from '../session.ts'
import { useRoleChoices } from '../users/roles.ts'

/** A user's name with a link to them; the id if the reader may not see users, or the user was deleted. */
export function UserName({ id }: { id: number }) {
  const mayRead = useMay('users.manage')
  const { data } = useGetManyAggregate<User>('users', { ids: [id] }, { enabled: mayRead })
  const user = data?.[0]
  if (user === undefined) return <Box component="strong">user {id}</Box>
  return (
    <Link component={RouterLink} to={`/users/${id}`} color="text.primary" underline="hover" sx={{ fontWeight: 600 }}>
      {nameOf(user)}
    </Link>
  )
}

/** The titles of roles, for readers who may see them. The whole list is fetched, so that a deleted role is no error. */
export function useRoleName(): (id: unknown) => string | undefined {
  const maySee = useMay(['roles.manage', 'users.manage'])
  const { data } = useRoleChoices(maySee)
  return (id) => data?.find((role) => role.id === id)?.title
}

const keysPage = {
  pagination: { page: 1, perPage: 100 },
  sort: { field: 'id', order: 'DESC' },
} as const

/** The name of a subject other than a user; undefined if it is not known, or was deleted. */
export function useSubjectName(type: string, id: number | null): string | undefined {
  const roleName = useRoleName()
  const mayPermissions = useMay(['permissions.manage', 'roles.manage']) && type === 'permission'
  const mayKeys = useMay('api-keys.manage') && type === 'api_key'
  const { data: permissions } = usePermissions(mayPermissions)
  const { data: keys } = useGetList<ApiKey>('api-keys', keysPage, { enabled: mayKeys, onError: () => {} })
  if (type === 'role') return roleName(id)
  if (type === 'api_key') return keys?.find((key) => key.id === id)?.name
  const permission = type === 'permission' ? permissions?.find((one) => one.id === id) : undefined
  return permission === undefined ? undefined : titleOf(permission)
}

import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { useDataProvider, useGetList, useGetManyAggregate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import type { ApiKey } from '../api-keys/keys.ts'
import { titleOf, usePermissions } from '../roles/grants.ts'
import type { User } from '../session.ts'
import { useRoleChoices } from '../users/roles.ts'
import type { Activity } from './Sentence.tsx'

type Users = ReadonlyMap<number, User>

/** Those who are named on the page, where they were loaded together. */
const Named = createContext<Users | undefined>(undefined)

/** A user's name with a link to them; the id if the reader may not see users, or the user was deleted. */
export function UserName({ id }: { id: number }) {
  const mayRead = useMay('users.manage')
  const named = useContext(Named)
  const { data } = useGetManyAggregate<User>('users', { ids: [id] }, { enabled: mayRead && named === undefined })
  const user = named === undefined ? data?.[0] : named.get(id)
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

const useKeys = (enabled: boolean) => useGetList<ApiKey>('api-keys', keysPage, { enabled, onError: () => {} })

/** The name of a subject other than a user; undefined if it is not known, or was deleted. */
export function useSubjectName(type: string, id: number | null): string | undefined {
  const roleName = useRoleName()
  const mayPermissions = useMay(['permissions.manage', 'roles.manage']) && type === 'permission'
  const mayKeys = useMay('api-keys.manage') && type === 'api_key'
  const { data: permissions } = usePermissions(mayPermissions)
  const { data: keys } = useKeys(mayKeys)
  if (type === 'role') return roleName(id)
  if (type === 'api_key') return keys?.find((key) => key.id === id)?.name
  const permission = type === 'permission' ? permissions?.find((one) => one.id === id) : undefined
  return permission === undefined ? undefined : titleOf(permission)
}

/** The users who did these, or whom they are about. */
const usersIn = (activities: readonly Activity[]): number[] => {
  const ids = activities.flatMap(({ actor_id, subject_type, subject_id }) => [
    actor_id,
    subject_type === 'user' ? subject_id : null,
  ])
  return [...new Set(ids)].filter((id) => id !== null).toSorted((a, b) => a - b)
}

/** The users whom these entries name; undefined until all names are there. A row grows with its names. */
export function useNames(activities: readonly Activity[] = []): Users | undefined {
  const { getMany } = useDataProvider()
  const ids = usersIn(activities)
  const isAbout = (type: string) => activities.some(({ subject_type }) => subject_type === type)
  const users = useQuery({
    queryKey: ['users', 'names', ids],
    queryFn: async () => new Map((await getMany<User>('users', { ids })).data.map((user) => [user.id, user])),
    enabled: useMay('users.manage') && ids.length > 0,
    placeholderData: keepPreviousData, // entries that are added stand there at once
  })
  const others = [
    useRoleChoices(useMay(['roles.manage', 'users.manage']) && activities.length > 0),
    usePermissions(useMay(['permissions.manage', 'roles.manage']) && isAbout('permission')),
    useKeys(useMay('api-keys.manage') && isAbout('api_key')),
  ]
  return [users, ...others].some(({ isLoading }) => isLoading) ? undefined : (users.data ?? none)
}

const none: Users = new Map()

/** Entries with the names that `useNames` has loaded. */
export const WithNames = ({ names, children }: { names: Users | undefined; children: ReactNode }) => (
  <Named.Provider value={names}>{children}</Named.Provider>
)

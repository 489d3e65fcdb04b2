import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { type RaRecord, useDataProvider, useGetManyAggregate } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import type { ApiKey } from '../api-keys/keys.ts'
import { titleOf, usePermissions } from '../roles/grants.ts'
import type { User } from '../session.ts'
import { useRoleChoices } from '../users/roles.ts'
import type { Activity } from './Sentence.tsx'

interface Names {
  readonly users: ReadonlyMap<number, User>
  readonly keys: ReadonlyMap<number, ApiKey>
}

/** What is named on the page, where it was loaded together. */
const Named = createContext<Names | undefined>(undefined)

/** A user's name with a link to them; the id if the reader may not see users, or the user was deleted. */
export function UserName({ id }: { id: number }) {
  const mayRead = useMay('users.manage')
  const named = useContext(Named)
  const { data } = useGetManyAggregate<User>('users', { ids: [id] }, { enabled: mayRead && named === undefined })
  const user = named === undefined ? data?.[0] : named.users.get(id)
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

/** The name of a subject other than a user; undefined if it is not known, or was deleted. */
export function useSubjectName(type: string, id: number | null): string | undefined {
  const roleName = useRoleName()
  const mayPermissions = useMay(['permissions.manage', 'roles.manage']) && type === 'permission'
  const { data: permissions } = usePermissions(mayPermissions)
  const named = useContext(Named)
  if (type === 'role') return roleName(id)
  if (type === 'api_key') return named?.keys.get(id ?? 0)?.name
  const permission = type === 'permission' ? permissions?.find((one) => one.id === id) : undefined
  return permission === undefined ? undefined : titleOf(permission)
}

const sorted = (ids: readonly (number | null)[]): number[] =>
  [...new Set(ids)].filter((id) => id !== null).toSorted((a, b) => a - b)

/** Who did these. */
const actorsOf = (activities: readonly Activity[]) => activities.map(({ actor_id }) => actor_id)
/** What these are about, where it is of this type. */
const subjectsOf = (activities: readonly Activity[], type: string) =>
  activities.map(({ subject_type, subject_id }) => (subject_type === type ? subject_id : null))

/** The records with these ids; none are loaded unless `mayRead`. */
function useNamed<T extends RaRecord<number>>(resource: string, ids: readonly number[], mayRead: boolean) {
  const { getMany } = useDataProvider()
  return useQuery({
    queryKey: [resource, 'names', ids],
    queryFn: async () => new Map((await getMany<T>(resource, { ids: [...ids] })).data.map((one) => [one.id, one])),
    enabled: mayRead && ids.length > 0,
    placeholderData: keepPreviousData, // entries that are added stand there at once
  })
}

/** What these entries name; undefined until all names are there. A row grows with its names. */
export function useNames(activities: readonly Activity[] = []): Names | undefined {
  const isAbout = (type: string) => activities.some(({ subject_type }) => subject_type === type)
  const people = sorted([...actorsOf(activities), ...subjectsOf(activities, 'user')])
  const users = useNamed<User>('users', people, useMay('users.manage'))
  const keys = useNamed<ApiKey>('api-keys', sorted(subjectsOf(activities, 'api_key')), useMay('api-keys.manage'))
  const others = [
    useRoleChoices(useMay(['roles.manage', 'users.manage']) && activities.length > 0),
    usePermissions(useMay(['permissions.manage', 'roles.manage']) && isAbout('permission')),
  ]
  if ([users, keys, ...others].some(({ isLoading }) => isLoading)) return undefined
  return { users: users.data ?? new Map(), keys: keys.data ?? new Map() }
}

/** Entries with the names that `useNames` has loaded. */
export const WithNames = ({ names, children }: { names: Names | undefined; children: ReactNode }) => (
  <Named.Provider value={names}>{children}</Named.Provider>
)

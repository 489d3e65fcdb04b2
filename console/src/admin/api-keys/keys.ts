import type { components } from '@gatehouse/client'
import { useMay } from '@gatehouse/plugin-kit/console'
import { useGetManyAggregate } from 'react-admin'
import { toDate } from '../components/RelativeTime.tsx'
import { useGrants } from '../roles/grants.ts'
import { type User, useSession } from '../session.ts'
import { useMayChange } from '../users/roles.ts'

export type ApiKey = components['schemas']['ApiKey']
export type IssuedApiKey = components['schemas']['IssuedApiKey']

/** The owner; undefined while loading, and for users who may not see users. */
export function useOwner({ user_id }: Pick<ApiKey, 'user_id'>): User | undefined {
  const session = useSession()
  const maySee = useMay('users.manage')
  const isYou = session.user.id === user_id
  const { data } = useGetManyAggregate<User>('users', { ids: [user_id] }, { enabled: maySee && !isYou })
  return isYou ? session.user : data?.[0]
}

/** Whether the current user may change a key: their own, or one of a user who holds nothing that they lack. */
export function useMayTouch(key: Pick<ApiKey, 'user_id'>): { isYours: boolean; mayTouch: boolean } {
  const { user } = useSession()
  const owner = useOwner(key)
  const isBelow = useMayChange(owner ?? { role_id: 0 })
  const isYours = user.id === key.user_id
  return { isYours, mayTouch: isYours || isBelow }
}

/** The permissions that a key of this owner can get: those that both the owner and the current user hold. */
export function useGrantable(owner: User | undefined): readonly string[] {
  const { user, permissions } = useSession()
  const isYou = owner?.id === user.id
  const { data = [] } = useGrants(owner?.role_id ?? 0, owner !== undefined && !isYou)
  return isYou ? [...permissions] : data.filter((name) => permissions.has(name))
}

const dayMs = 24 * 3_600_000

export type Expiry = 'never' | 'expired' | 'soon' | 'later'

export function expiryOf({ expires_at }: Pick<ApiKey, 'expires_at'>): Expiry {
  if (expires_at === null) return 'never'
  const leftMs = toDate(expires_at).getTime() - Date.now()
  return leftMs <= 0 ? 'expired' : leftMs < 14 * dayMs ? 'soon' : 'later'
}

/** As the API writes it: UTC. */
const toTimestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

export const inDays = (days: number): string => toTimestamp(new Date(Date.now() + days * dayMs))

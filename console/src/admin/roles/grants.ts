import type { components } from '@gatehouse/client'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { HttpError } from 'react-admin'
import { inText } from '../../api/user-name.ts'
import { call, fetchAll } from '../data-provider.ts'
import { reloadSession, type Session, useSession } from '../session.ts'

export type Role = components['schemas']['Role']
export type Permission = components['schemas']['Permission']

/** True for the role that holds every permission, present and future; nobody can rename it. */
export const isAdminRole = ({ name }: Pick<Role, 'name'>): boolean => name === 'Admin'

/** What roles and permissions are called. */
export const titleOf = ({ name, display_name }: Pick<Role, 'name' | 'display_name'>): string =>
  inText(display_name === null || display_name === '' ? name : display_name)

const allPermissions = { queryKey: ['permissions', 'all'], queryFn: () => fetchAll<Permission>('/permissions') }

/** Every permission there is, the application's own and plugins' included. */
export const usePermissions = (enabled = true) => useQuery({ ...allPermissions, enabled })

const grantsOf = (id: number) => ({
  queryKey: ['roles', 'permissions', id],
  queryFn: async () => {
    const { data } = await call<{ data: Permission[] }>('GET', `/roles/${id}/permissions`)
    return data.map(({ name }) => name)
  },
  staleTime: 10_000,
})

/** The names of a role's permissions. */
export const useGrants = (id: number, enabled = true) => useQuery({ ...grantsOf(id), enabled })

/** The same of several roles; a role whose answer is on its way is missing. */
export function useGrantsOf(ids: readonly number[]): {
  grants: ReadonlyMap<number, readonly string[]>
  error: Error | null
} {
  return useQueries({
    queries: ids.map(grantsOf),
    combine: (results) => ({
      grants: new Map(
        ids.flatMap((id, index) => (results[index]?.data === undefined ? [] : [[id, results[index].data]])),
      ),
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
}

/** What was ticked and unticked: whether the role shall hold the permission of this name. */
export type Draft = ReadonlyMap<string, boolean>

/** What a role would hold with the draft. */
export function withDraft(stored: readonly string[], draft: Draft): ReadonlySet<string> {
  return new Set([...stored, ...draft.keys()].filter((name) => draft.get(name) ?? true))
}

/** The draft after a click on a check box; what is as it is stored again is no change, unless that is about to change. */
export function withToggle(draft: Draft, stored: readonly string[], name: string, isSaving: boolean): Draft {
  const isStored = stored.includes(name)
  const isTicked = !(draft.get(name) ?? isStored)
  const others = [...draft].filter(([other]) => other !== name)
  return new Map(isTicked === isStored && !isSaving ? others : [...others, [name, isTicked]])
}

/** What is left of a draft once it was saved: what was ticked and unticked meanwhile. */
export function withoutStored(draft: Draft, stored: readonly string[]): Draft {
  return new Map([...draft].filter(([name, isTicked]) => isTicked !== stored.includes(name)))
}

/** A draft without the permissions that somebody has deleted meanwhile: a role with one of them could not be saved. */
export function withoutDeleted(draft: Draft, permissions: readonly Permission[]): Draft {
  return new Map([...draft].filter(([name]) => permissions.some((permission) => permission.name === name)))
}

/** What a role holds now, and what of the draft it could not hold. */
interface SavedGrants {
  readonly names: readonly string[]
  readonly problem?: string
}

/**
 * Changes what a role holds, and keeps what somebody else has changed meanwhile. `more` is sent with it. A permission that was
 * deleted a moment ago is left out, and the answer says so.
 */
export function useSaveGrants(): (id: number, draft: Draft, more: { force?: true }) => Promise<SavedGrants> {
  const queries = useQueryClient()
  const { user } = useSession()
  const send = async (id: number, draft: Draft, more: { force?: true }) => {
    const stored = await queries.fetchQuery({ ...grantsOf(id), staleTime: 0 })
    const body = { permissions: [...withDraft(stored, draft)], ...more }
    const { data } = await call<{ data: Permission[] }>('PUT', `/roles/${id}/permissions`, { body })
    const names = data.map(({ name }) => name)
    queries.setQueryData(grantsOf(id).queryKey, names)
    await queries.invalidateQueries({ queryKey: ['roles', 'choices'] })
    await queries.invalidateQueries({ queryKey: ['roles', 'getList'] })
    if (id === user.role_id) await reloadSession()
    return { names }
  }
  return async (id, draft, more) => {
    try {
      return await send(id, draft, more)
    } catch (error) {
      if ((error as HttpError).status !== 422) throw error
      const left = withoutDeleted(draft, await queries.fetchQuery({ ...allPermissions, staleTime: 0 }))
      const gone = [...draft.keys()].filter((name) => !left.has(name))
      if (gone.length === 0) throw error
      const problem = `${gone.join(', ')} ${gone.length === 1 ? 'was' : 'were'} deleted meanwhile. The rest is saved.`
      return { ...(await send(id, left, more)), problem }
    }
  }
}

/** Why the current user may not change a role; undefined if they may. */
export function whyNotRole(session: Session, role: Role, names: readonly string[]): string | undefined {
  if (isAdminRole(role))
    return session.user.role_id === role.id ? undefined : 'Only an administrator may change this role.'
  const isAbove = names.some((name) => !session.permissions.has(name))
  return isAbove ? 'This role holds a permission that you lack, so you cannot change it.' : undefined
}

/** Why a permission of a role cannot be given or taken; undefined where it can. */
export function whyNotGrant(session: Session, role: Role, names: readonly string[], name: string): string | undefined {
  if (isAdminRole(role)) return 'This role always holds every permission.'
  const why = whyNotRole(session, role, names)
  if (why !== undefined) return why
  return session.permissions.has(name) ? undefined : 'You lack this permission yourself, so you cannot give it.'
}

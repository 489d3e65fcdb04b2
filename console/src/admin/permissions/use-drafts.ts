import { type ReactNode, useState } from 'react'
import type { HttpError } from 'react-admin'
import { isCalledOff } from '../called-off.ts'
import {
  type Draft,
  type Permission,
  type Role,
  titleOf,
  useSaveGrants,
  withoutDeleted,
  withoutStored,
  withToggle,
} from '../roles/grants.ts'
import { useForce } from '../roles/use-force.tsx'

export interface Drafts {
  readonly of: (role: Role) => Draft | undefined
  readonly toggle: (role: Role, name: string, stored: readonly string[]) => void
  /** Roles with changes that are not saved. */
  readonly roles: readonly Role[]
  readonly discard: () => void
  /** Saves them one after the other. What could not be saved stays; `problems` say why, none where it was called off. */
  readonly save: () => Promise<{ readonly isSaved: boolean; readonly problems: readonly string[] }>
  /** What has to be asked while saving. */
  readonly question: ReactNode
}

/** What was checked and unchecked, by role, until it is saved. */
export function useDrafts(permissions: readonly Permission[]): Drafts {
  const [ticked, setDrafts] = useState<ReadonlyMap<number, { role: Role; draft: Draft }>>(new Map())
  const drafts = new Map(
    [...ticked]
      .map(([id, { role, draft }]) => [id, { role, draft: withoutDeleted(draft, permissions) }] as const)
      .filter(([, { draft }]) => draft.size > 0),
  )
  const saveGrants = useSaveGrants()
  const [orForce, question] = useForce()
  const [saving, setSaving] = useState<readonly number[]>([])

  const change = (role: Role, changed: (draft: Draft) => Draft) =>
    setDrafts((now) => {
      const draft = changed(now.get(role.id)?.draft ?? new Map())
      const next = new Map(now)
      if (draft.size === 0) next.delete(role.id)
      else next.set(role.id, { role, draft })
      return next
    })

  const toggle: Drafts['toggle'] = (role, name, stored) =>
    change(role, (draft) => withToggle(draft, stored, name, saving.includes(role.id)))

  const saveAll = async () => {
    const problems: string[] = []
    for (const [id, { role, draft }] of drafts) {
      try {
        const { names, problem } = await orForce((more) => saveGrants(id, draft, more))
        change(role, (now) => withoutStored(now, names))
        if (problem !== undefined) problems.push(`${titleOf(role)}: ${problem}`)
      } catch (error) {
        if (isCalledOff(error)) return { isSaved: false, problems }
        if ((error as HttpError).status === 404) change(role, () => new Map()) // somebody has deleted the role
        problems.push(`${titleOf(role)}: ${(error as Error).message}`)
      }
    }
    return { isSaved: problems.length === 0, problems }
  }
  const save = () => {
    setSaving([...drafts.keys()])
    return saveAll().finally(() => setSaving([]))
  }

  return {
    of: ({ id }) => drafts.get(id)?.draft,
    toggle,
    roles: [...drafts.values()].map(({ role }) => role),
    discard: () => setDrafts(new Map()),
    save,
    question,
  }
}

import { type ReactNode, useState } from 'react'
import { isCalledOff } from '../called-off.ts'
import { type Role, titleOf, useSaveGrants } from '../roles/grants.ts'
import { useForce } from '../roles/use-force.tsx'

type Names = ReadonlySet<string>

export interface Drafts {
  readonly of: (role: Role) => Names | undefined
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
export function useDrafts(): Drafts {
  const [drafts, setDrafts] = useState<ReadonlyMap<number, { role: Role; names: Names }>>(new Map())
  const saveGrants = useSaveGrants()
  const [orForce, question] = useForce()

  const without = (id: number) => setDrafts((now) => new Map([...now].filter(([key]) => key !== id)))

  const toggle: Drafts['toggle'] = (role, name, stored) => {
    const names = new Set(drafts.get(role.id)?.names ?? stored)
    if (!names.delete(name)) names.add(name)
    if (names.symmetricDifference(new Set(stored)).size === 0) without(role.id)
    else setDrafts(new Map(drafts).set(role.id, { role, names }))
  }

  const save = async () => {
    const problems: string[] = []
    for (const [id, { role, names }] of drafts) {
      try {
        await orForce((more) => saveGrants(id, names, more))
        without(id)
      } catch (error) {
        if (isCalledOff(error)) return { isSaved: false, problems }
        problems.push(`${titleOf(role)}: ${(error as Error).message}`)
      }
    }
    return { isSaved: problems.length === 0, problems }
  }

  return {
    of: ({ id }) => drafts.get(id)?.names,
    toggle,
    roles: [...drafts.values()].map(({ role }) => role),
    discard: () => setDrafts(new Map()),
    save,
    question,
  }
}

import type { DraftFields } from '../../core/draft.ts'
import { canonicalName } from '../../core/text.ts'
import type { ReadDb } from '../../db/database.ts'
import { roleErrors } from './roles.errors.ts'
import { isNameTaken } from './roles.queries.ts'

/** What roles and permissions share: a unique name and a description. */
export interface Named {
  name: string
  display_name?: string | null
  description?: string | null
}

/** The name must have a visible character and be unique. */
export async function checkName(
  db: ReadDb,
  table: 'roles' | 'permissions',
  draft: DraftFields<Named>,
  ownId = 0,
): Promise<void> {
  const { name } = draft.given
  if (name === undefined) return
  const canonical = canonicalName(name)
  if (canonical === '') draft.reject('name', 'The name field must have a visible character.')
  else if (await isNameTaken(db, table, canonical, ownId)) {
    draft.reject('name', table === 'roles' ? roleErrors.role_name_taken() : roleErrors.permission_name_taken())
  }
}

/** The sent columns that differ from the stored ones. */
export function changedColumns(sent: Partial<Named>, stored: Named): Partial<Named & { name_canonical: string }> {
  const changed = Object.fromEntries(
    Object.entries(sent).filter(([field, value]) => value !== undefined && stored[field as keyof Named] !== value),
  ) as Partial<Named>
  return changed.name === undefined ? changed : { ...changed, name_canonical: canonicalName(changed.name) }
}

import type { Db } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'

const namesOf = (permissions: string | null): string[] => JSON.parse(permissions ?? '[]')

/** Renames a permission in the list of every API key that is limited to it, or removes it there: else a later one of that name would be the key's, too. */
export async function replaceInKeys(db: Db, name: string, newName: string | null, now: string): Promise<void> {
  const keys = db.selectFrom('api_keys').select(['id', 'permissions'])
  const limited = await keys.where('permissions', 'is not', null).execute()
  for (const { id } of limited.filter(({ permissions }) => namesOf(permissions).includes(name))) {
    const key = await forUpdate(db)(keys.where('id', '=', id)).executeTakeFirst()
    if (key === undefined) continue // revoked meanwhile
    const names = namesOf(key.permissions).flatMap((held) => (held === name ? (newName ?? []) : held))
    await db
      .updateTable('api_keys')
      .set({ permissions: JSON.stringify([...new Set(names)]), updated_at: now })
      .where('id', '=', id)
      .execute()
  }
}

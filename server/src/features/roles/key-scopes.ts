import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'
import { among, rowsOf } from '../../db/rows.ts'

/** Keys that are read and changed at once. */
const piece = 500

/** Renames a permission in the list of every API key that is limited to it, or removes it there: else a later one of that name would be the key's, too. */
export async function replaceInKeys(db: Db, name: string, newName: string | null, now: string): Promise<void> {
  const keys = db
    .selectFrom('api_keys')
    .select(['id', 'permissions'])
    .where('permissions', 'is not', null)
    .$narrowType<{ permissions: string }>()
  for (let after: number | undefined = 0; after !== undefined; ) {
    const limited = await keys.where('id', '>', after).orderBy('id').limit(piece).execute()
    after = limited.at(piece - 1)?.id
    const holders = limited.filter(({ permissions }) => namesOf(permissions).includes(name)).map(({ id }) => id)
    if (holders.length === 0) continue
    const locked = await forUpdate(db)(keys.where('id', 'in', among(db, holders)).orderBy('id')).execute()
    const changed = locked.map(({ id, permissions }) => {
      const names = namesOf(permissions).flatMap((held) => (held === name ? (newName ?? []) : held))
      return { id, permissions: JSON.stringify([...new Set(names)]) }
    })
    const given = rowsOf(db, { id: 'integer', permissions: 'text' }, changed)
    await sql`update api_keys set permissions = given.permissions, updated_at = ${now} from ${given}
      where api_keys.id = given.id`.execute(db)
  }
}

const namesOf = (permissions: string): string[] => JSON.parse(permissions)

import { type Kysely, sql } from 'kysely'

/**
 * Adds a permission of the core. One that an administrator made under the same name becomes this one, and is taken away from
 * every role: nobody gave it with this meaning.
 */
export async function addPermission(
  db: Kysely<never>,
  name: string,
  displayName: string,
  description: string,
): Promise<void> {
  const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
  await sql`delete from role_permissions where permission_id in (select id from permissions where name_canonical = ${name})`.execute(
    db,
  )
  await sql`
    insert into permissions (name, name_canonical, display_name, description, removable, created_at, updated_at)
    values (${name}, ${name}, ${displayName}, ${description}, 0, ${now}, ${now})
    on conflict (name_canonical) do update set
      name = excluded.name, display_name = excluded.display_name, description = excluded.description,
      removable = 0, updated_at = excluded.updated_at`.execute(db)
}

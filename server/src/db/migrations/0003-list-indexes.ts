import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** The columns that lists are filtered by stand behind those that they are sorted by: a filtered list is found in the index. */
const indexes = {
  first_name_key: ['id', 'status', 'role_id', 'country_id'],
  last_name_key: ['id', 'status', 'role_id', 'country_id'],
  created_at: ['id', 'status', 'role_id', 'country_id'],
  updated_at: ['id', 'status', 'role_id', 'country_id'],
  country_id: ['id', 'status', 'role_id'],
  role_id: ['status', 'id'],
}

export async function up(db: Kysely<never>): Promise<void> {
  for (const [column, others] of Object.entries(indexes)) {
    const name = `users_${column}`
    await db.schema.dropIndex(name).execute()
    await db.schema
      .createIndex(name)
      .on('users')
      .columns([column, ...others])
      .execute()
  }
  // In the order of the ids, and narrower than the rows. On PostgreSQL the primary key is.
  if (db.getExecutor().adapter instanceof PostgresAdapter) return
  await sql`create index users_facets on users (id, status, role_id, country_id)`.execute(db)
}

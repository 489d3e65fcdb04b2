import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { type Report, rebuildSearchTexts } from './0011-search-texts.ts'

/**
 * What clients of this family of APIs look for: answers that are kept for an Idempotency-Key, preferences of users, the
 * beginning of API keys, more sorts of users, and a search that finds people as they are shown.
 */
export async function up(db: Kysely<never>, report: Report): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`

  await schema
    .createTable('idempotency_keys')
    .addColumn('caller_hash', text, (column) => column.notNull())
    .addColumn('key_hash', text, (column) => column.notNull())
    .addColumn('claim', text, (column) => column.notNull())
    .addColumn('request', text, (column) => column.notNull())
    .addColumn('changed', number, (column) => column.notNull())
    .addColumn('answer', text)
    .addColumn('lease_until_ms', number, (column) => column.notNull())
    .addColumn('expires_ms', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_pk', ['caller_hash', 'key_hash'])
    .execute()
  await schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_ms').execute()

  await schema
    .createTable('user_preferences')
    .addColumn('user_id', number, (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .execute()

  await schema.alterTable('api_keys').addColumn('prefix', text).execute()

  await rebuildSearchTexts(db, postgres, report)

  // Null sorts first on both databases: as the empty text, which is never stored. Where very many rows tie, each direction has
  // an index, for ties are by ascending id in both.
  const columns: Record<string, string> = {
    users_last_login: `coalesce(last_login, ''), id, status, role_id, country_id`,
    users_last_login_descending: `coalesce(last_login, '') desc, id, status, role_id, country_id`,
    users_username_sort: `coalesce(username_canonical, ''), id, status, role_id, country_id`,
    users_status: 'status, id, role_id, country_id',
    users_status_descending: 'status desc, id, role_id, country_id',
  }
  await schema.dropIndex('users_status').execute()
  for (const [name, list] of Object.entries(columns)) {
    await sql`create index ${sql.ref(name)} on users (${sql.raw(list)})`.execute(db)
  }
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** What clients of this family of APIs look for: answers that are kept for an Idempotency-Key. */
export async function up(db: Kysely<never>): Promise<void> {
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
}

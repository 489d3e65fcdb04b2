import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Settings, sessions, one-time tokens, counted tries and the outbox. Columns that end in `_ms` are epoch milliseconds. */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`

  await schema.alterTable('users').addColumn('terms_version', text).execute()
  await schema.alterTable('users').addColumn('terms_accepted_at', text).execute()

  await schema
    .createTable('settings')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('value', text, (column) => column.notNull())
    .execute()

  await schema
    .createTable('sessions')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('ip_address', text)
    .addColumn('user_agent', text)
    .addColumn('browser', text)
    .addColumn('platform', text)
    .addColumn('device', text)
    .addColumn('last_activity', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await schema.createIndex('sessions_user').on('sessions').columns(['user_id', 'last_activity']).execute()

  await schema
    .createTable('tokens')
    .addColumn('token_hash', text, (column) => column.primaryKey())
    .addColumn('purpose', text, (column) => column.notNull())
    .addColumn('user_id', number, (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('code_hash', text)
    .addColumn('tries', number, (column) => column.notNull())
    .addColumn('data', text)
    .addColumn('created_ms', number, (column) => column.notNull())
    .addColumn('expires_ms', number, (column) => column.notNull())
    .execute()
  await schema.createIndex('tokens_user').on('tokens').columns(['user_id', 'purpose']).execute()
  await schema.createIndex('tokens_expiry').on('tokens').column('expires_ms').execute()

  await schema
    .createTable('tries')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('count', number, (column) => column.notNull())
    .addColumn('expires_ms', number, (column) => column.notNull())
    .execute()
  await schema.createIndex('tries_expiry').on('tries').column('expires_ms').execute()

  const deliveries = schema.createTable('deliveries')
  await (postgres
    ? deliveries.addColumn('id', number, (column) => column.primaryKey().generatedByDefaultAsIdentity())
    : deliveries.addColumn('id', number, (column) => column.primaryKey().autoIncrement())
  )
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('template', text, (column) => column.notNull())
    .addColumn('status', text, (column) => column.notNull())
    .addColumn('user_id', number)
    .addColumn('recipient', text, (column) => column.notNull())
    .addColumn('recipient_key', text, (column) => column.notNull())
    .addColumn('subject', text)
    .addColumn('body_text', text)
    .addColumn('body_html', text)
    .addColumn('headers', text)
    .addColumn('secret', number, (column) => column.notNull())
    .addColumn('message_id', text, (column) => column.notNull())
    .addColumn('attempts', number, (column) => column.notNull())
    .addColumn('last_error', text)
    .addColumn('due_ms', number, (column) => column.notNull())
    .addColumn('give_up_ms', number, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', text, (column) => column.notNull())
    .addColumn('sent_at', text)
    .execute()
  await schema.createIndex('deliveries_created').on('deliveries').columns(['created_at', 'id']).execute()
  await schema.createIndex('deliveries_user').on('deliveries').column('user_id').execute()
  await schema.createIndex('deliveries_recipient').on('deliveries').columns(['recipient_key', 'id']).execute()
  // What waits to be sent, and nothing else, however many were sent before.
  await sql`create index deliveries_due on deliveries (kind, due_ms) where status in ('queued', 'sending')`.execute(db)

  await schema
    .createTable('unused_avatars')
    .addColumn('key', text, (column) => column.primaryKey())
    .addColumn('since_ms', number, (column) => column.notNull())
    .execute()
  await schema.createIndex('unused_avatars_since').on('unused_avatars').column('since_ms').execute()
  // Keys of uploaded pictures, all of one length; external addresses may be longer than an index takes.
  await sql`create index users_avatar on users (avatar) where length(avatar) = 64`.execute(db)
}

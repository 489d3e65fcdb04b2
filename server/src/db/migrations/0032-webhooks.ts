import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'
import { addPermission } from './built-in-permissions.ts'

/** Webhooks, what waits to be sent to them, and what came of it. */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  const postgres = isPostgres(db)
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`
  const id = (column: ColumnDefinitionBuilder) =>
    postgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const owner = (column: ColumnDefinitionBuilder) => column.notNull().references('webhooks.id').onDelete('cascade')

  await schema
    .createTable('webhooks')
    .addColumn('id', number, id)
    .addColumn('url', text, required)
    .addColumn('events', text, required)
    .addColumn('description', text)
    .addColumn('enabled', number, required)
    .addColumn('disabled_reason', text)
    .addColumn('secret', text, required)
    .addColumn('old_secret', text)
    .addColumn('old_secret_until_ms', number)
    .addColumn('from_id', number, required)
    .addColumn('created_at', text, required)
    .addColumn('updated_at', text, required)
    .execute()
  await schema.createIndex('webhooks_created').on('webhooks').columns(['created_at', 'id']).execute()

  await schema
    .createTable('webhook_queues')
    .addColumn('webhook_id', number, (column) => owner(column).primaryKey())
    .addColumn('cursor', number, required)
    .addColumn('holder', text)
    .addColumn('lease_until_ms', number, (column) => column.notNull().defaultTo(0))
    .addColumn('failing_since_ms', number)
    .execute()

  await schema
    .createTable('webhook_messages')
    .addColumn('webhook_id', number, owner)
    .addColumn('position', number, required)
    .addColumn('activity_id', number, required)
    .addColumn('subject', text, required)
    .addColumn('attempts', number, required)
    .addColumn('due_ms', number)
    .addPrimaryKeyConstraint('webhook_messages_pk', ['webhook_id', 'position'])
    .execute()
  const messages = schema.createIndex('webhook_messages_subject').on('webhook_messages')
  await messages.columns(['webhook_id', 'subject', 'position']).execute()
  await sql`create index webhook_messages_due on webhook_messages (webhook_id, due_ms) where due_ms is not null`.execute(
    db,
  )

  await schema
    .createTable('webhook_attempts')
    .addColumn('id', number, id)
    .addColumn('webhook_id', number, owner)
    .addColumn('activity_id', number, required)
    .addColumn('type', text, required)
    .addColumn('status', number)
    .addColumn('error', text)
    .addColumn('duration_ms', number, required)
    .addColumn('answer', text)
    .addColumn('created_at', text, required)
    .execute()
  await schema.createIndex('webhook_attempts_webhook').on('webhook_attempts').columns(['webhook_id', 'id']).execute()
  await schema.createIndex('webhook_attempts_created').on('webhook_attempts').column('created_at').execute()

  await addPermission(
    db,
    'webhooks.manage',
    'Manage webhooks',
    'Create, edit and delete webhooks. They receive users as they are after each change, also for those who lack “Manage users”.',
  )
}

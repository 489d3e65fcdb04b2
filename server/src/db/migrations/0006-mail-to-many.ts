import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** A mail to many is kept once; each of its deliveries has what differs. */
export async function up(db: Kysely<never>): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  const { schema } = db
  const number = postgres ? 'bigint' : 'integer'
  const text = postgres ? sql`text collate "C"` : sql`text`

  const bodies = schema.createTable('delivery_bodies')
  await (postgres
    ? bodies.addColumn('id', number, (column) => column.primaryKey().generatedByDefaultAsIdentity())
    : bodies.addColumn('id', number, (column) => column.primaryKey().autoIncrement())
  )
    .addColumn('template', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('html', text, (column) => column.notNull())
    .addColumn('placeholders', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
  await schema.createIndex('delivery_bodies_created').on('delivery_bodies').column('created_at').execute()

  const deliveries = () => schema.alterTable('deliveries')
  await deliveries()
    .addColumn('body_id', number, (column) => column.references('delivery_bodies.id'))
    .execute()
  await deliveries().addColumn('per_recipient', text).execute()
  await deliveries()
    .addColumn('bulk', number, (column) => column.notNull().defaultTo(0))
    .execute()

  // What waits to be sent, mail to many apart: however much of that there is, other mail is found at once.
  await schema.dropIndex('deliveries_due').execute()
  await sql`create index deliveries_due on deliveries (kind, bulk, due_ms) where status in ('queued', 'sending')`.execute(
    db,
  )
  await sql`create index deliveries_body on deliveries (body_id, status) where body_id is not null`.execute(db)
}

import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** The plugins that this database knows, listed or not. Their own tables come with their own migrations. */
export async function up(db: Kysely<never>): Promise<void> {
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('plugins')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('version', text, (column) => column.notNull())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('permissions', text, (column) => column.notNull())
    .addColumn('parked', text, (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute()
}

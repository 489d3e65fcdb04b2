import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/** The nodes that run on this database. */
export async function up(db: Kysely<never>): Promise<void> {
  const number = isPostgres(db) ? 'bigint' : 'integer'
  const text = isPostgres(db) ? sql`text collate "C"` : sql`text`
  await db.schema
    .createTable('nodes')
    .addColumn('id', text, (column) => column.primaryKey())
    .addColumn('host', text, (column) => column.notNull())
    .addColumn('process', number, (column) => column.notNull())
    .addColumn('version', text, (column) => column.notNull())
    .addColumn('started_at', text, (column) => column.notNull())
    .addColumn('seen_ms', number, (column) => column.notNull())
    .execute()
}

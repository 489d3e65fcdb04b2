import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/**
 * One order of the audit log, with a hash chain: see `features/activity/sequencer.ts`. The rows of before wait for their place
 * like new ones, so that the start does not wait for them.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const { schema } = db
  const number = isPostgres(db) ? 'bigint' : 'integer'
  const text = isPostgres(db) ? sql`text collate "C"` : sql`text`

  await schema
    .createTable('activity_pending')
    .addColumn('activity_id', number, (column) => column.primaryKey())
    .addColumn('due_ms', number, (column) => column.notNull())
    .addColumn('user', text)
    .execute()
  await schema.createIndex('activity_pending_due').on('activity_pending').column('due_ms').execute()

  await schema
    .createTable('activity_chain')
    .addColumn('position', number, (column) => column.primaryKey())
    .addColumn('activity_id', number, (column) => column.notNull().unique())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('retired', text)
    .addColumn('user', text)
    .execute()

  await schema
    .createTable('activity_marks')
    .addColumn('name', text, (column) => column.primaryKey())
    .addColumn('position', number, (column) => column.notNull())
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('signature', text)
    .execute()

  await sql`insert into activity_pending (activity_id, due_ms) select id, 0 from activity`.execute(db)
  await sql`insert into activity_marks (name, position, hash) values ('head', 0, ${'0'.repeat(64)})`.execute(db)
}

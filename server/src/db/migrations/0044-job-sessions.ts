import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/**
 * The session that started a job; null for an API key, the command line, and a job that an older node queued. A deleted user's
 * jobs are found by their author.
 */
export async function up(db: Kysely<never>): Promise<void> {
  const text = isPostgres(db) ? sql`text collate "C"` : sql`text`
  await sql`alter table jobs add column session_id ${text}`.execute(db)
  await sql`create index jobs_created_by on jobs (created_by)`.execute(db)
}

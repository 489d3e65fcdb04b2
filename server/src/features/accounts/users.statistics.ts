import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { isPostgres } from '../../db/dialect.ts'

/**
 * Updates the statistics by which PostgreSQL plans, after many users were added. Autovacuum would do it within a minute; until
 * then lists are planned as if the tables were small. SQLite plans without statistics here.
 */
export async function refreshUserStatistics(db: Db): Promise<void> {
  if (isPostgres(db)) await sql`analyze users, users_search`.execute(db)
}

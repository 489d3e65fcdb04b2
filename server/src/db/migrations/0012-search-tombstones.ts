import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/**
 * Removing a text from the FTS5 index at once takes milliseconds. From now on it is marked as deleted, and the job
 * `maintenance.search` rewrites the index without it.
 */
export async function up(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) return
  await sql`insert into users_search (users_search, rank) values ('secure-delete', 0)`.execute(db)
}

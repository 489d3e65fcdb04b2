import { sql } from 'kysely'
import type { RootDb } from '../database.ts'

/** Tables of this schema that have more than twice the pages that PostgreSQL knows of, and some more. */
const findGrown = sql<{ name: string }>`
  select relname as name from pg_class
  where relkind = 'r' and relnamespace = current_schema()::regnamespace and pg_has_role(relowner, 'usage')
    and pg_relation_size(oid) / current_setting('block_size')::bigint > 2 * greatest(relpages, 0) + 8
    and not pg_is_in_recovery()`

/**
 * Updates the statistics of tables that have grown much. A connection keeps the plans of its named statements, which read a
 * small table from end to end, until the table is analyzed; autovacuum does that within a minute.
 */
export async function analyzeGrown(db: RootDb): Promise<void> {
  for (const { name } of (await findGrown.execute(db)).rows)
    await sql`analyze (skip_locked) ${sql.table(name)}`.execute(db) // another node may be at it
}

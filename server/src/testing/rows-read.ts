import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** How many rows of some tables `work` reads in this transaction of PostgreSQL; SQLite does not count them. */
export async function countRowsRead(db: Db, tables: readonly string[], work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    const { rows } = await sql<{ rows: number }>`
      select cast(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)) as int) as rows
      from pg_stat_xact_user_tables where relname in (${sql.join(tables)})`.execute(db)
    return rows[0]?.rows ?? 0
  }
  const before = await count()
  await work()
  return (await count()) - before
}

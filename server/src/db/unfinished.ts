import { sql } from 'kysely'
import type { RootDb } from './database.ts'
import { isPostgres } from './dialect.ts'

/** The command that was to fill this database and did not come to its end; undefined for a whole database. */
export async function findUnfinished(db: RootDb): Promise<string | undefined> {
  const { rows: found } = await (isPostgres(db)
    ? sql`select 1 where to_regclass('unfinished_restore') is not null`
    : sql`select 1 from sqlite_master where name = 'unfinished_restore'`
  ).execute(db)
  if (found.length === 0) return undefined
  const { rows } = await sql<{ command: string }>`select command from unfinished_restore`.execute(db)
  return rows[0]?.command ?? 'restore'
}

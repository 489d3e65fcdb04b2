import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import { readSecretFile } from '../core/secret-file.ts'
import type { RootDb } from './database.ts'

/*
 * A restore or move marks the database that it fills: by a table on PostgreSQL, and by a file beside the database on SQLite,
 * which a kill may leave damaged.
 */

export const unfinishedFile = (path: string): string => `${path}.unfinished`

/** The command that was to fill this file; undefined for a whole one. */
export const readUnfinishedFile = (path: string): string | undefined => readSecretFile(unfinishedFile(path))

/** The command that was to fill this database on PostgreSQL; undefined for a whole one. */
export async function findUnfinished(db: RootDb): Promise<string | undefined> {
  const { rows: found } = await sql`select 1 where to_regclass('unfinished_restore') is not null`.execute(db)
  if (found.length === 0) return undefined
  const { rows } = await sql<{ command: string }>`select command from unfinished_restore`.execute(db)
  return rows[0]?.command ?? 'restore'
}

/** Throws ConfigError if a restore or move that was interrupted has left the database half-done. */
export function refuseUnfinished(command: string | undefined): void {
  if (command === undefined) return
  throw new ConfigError(
    `the database is not whole: \`gatehouse ${command}\` is running or was interrupted. Run it again, or empty the database.`,
  )
}

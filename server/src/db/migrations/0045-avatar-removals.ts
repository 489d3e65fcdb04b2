import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/** Which files of a picture a note is about; null while they are being removed. */
export async function up(db: Kysely<never>): Promise<void> {
  const text = isPostgres(db) ? sql`text collate "C"` : sql`text`
  await sql`alter table unused_avatars add column generation ${text}`.execute(db)
}

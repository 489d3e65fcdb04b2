import { sql } from 'kysely'
import type { Db, ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'

/** Notes that a picture may be unused, and locks the note until the transaction ends. */
export async function noteUnused(db: Db, key: string, sinceMs: number): Promise<void> {
  await db
    .insertInto('unused_avatars')
    .values({ key, since_ms: sinceMs })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ since_ms: sinceMs }))
    .execute()
}

/** True if the note exists. Locks it until the transaction ends. */
export async function lockNote(db: ReadDb, key: string): Promise<boolean> {
  const query = db.selectFrom('unused_avatars').select('key').where('key', '=', key)
  return (await forUpdate(db)(query).executeTakeFirst()) !== undefined
}

export async function removeNote(db: Db, key: string): Promise<void> {
  await db.deleteFrom('unused_avatars').where('key', '=', key).execute()
}

export const findNotesBefore = (db: ReadDb, sinceMs: number): Promise<{ key: string }[]> =>
  db.selectFrom('unused_avatars').select('key').where('since_ms', '<', sinceMs).limit(1000).execute()

/** True if a user has the picture. The length matches the partial index `users_avatar`, which holds only keys. */
export async function isAvatarUsed(db: ReadDb, key: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('avatar', '=', key).where(sql<boolean>`length(avatar) = 64`)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

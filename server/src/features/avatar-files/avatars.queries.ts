import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { clockToleranceMs } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { forUpdate } from '../../db/dialect.ts'

/** After this time a removal counts as killed. The storage gives up on each of the two files after 15 seconds. */
const removalMs = 60_000

/**
 * Notes that a picture may be unused, and locks the note until the transaction ends. Returns the generation of its files;
 * undefined while they are being removed.
 */
export async function noteUnused(db: Db, key: string, nowMs: number): Promise<string | undefined> {
  const noted = await db
    .insertInto('unused_avatars')
    .values({ key, since_ms: nowMs, generation: randomUUID() })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({
          since_ms: nowMs,
          generation: sql`coalesce(unused_avatars.generation, excluded.generation)`,
        })
        .where(isNotBeingRemoved(nowMs)),
    )
    .returning('generation')
    .executeTakeFirst()
  return noted?.generation ?? undefined
}

/** A removal that began in the future is one that was killed before a clock was set back. */
const isNotBeingRemoved = (nowMs: number) =>
  sql<boolean>`(unused_avatars.generation is not null
    or unused_avatars.since_ms not between ${nowMs - removalMs} and ${nowMs + clockToleranceMs})`

/** Claims the removal of the files. True if the caller got it: until it ends, nobody else writes or removes them. */
export async function beginRemoval(db: Db, key: string, nowMs: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('unused_avatars')
    .set({ since_ms: nowMs, generation: null })
    .where('key', '=', key)
    .where(isNotBeingRemoved(nowMs))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes the note of the removal that began at that time, unless it took so long that somebody else has claimed it. */
export async function endRemoval(db: Db, key: string, beganMs: number): Promise<void> {
  const began = db.deleteFrom('unused_avatars').where('key', '=', key).where('since_ms', '=', beganMs)
  await began.where('generation', 'is', null).execute()
}

/** True if the note exists. Locks it until the transaction ends. */
export async function lockNote(db: ReadDb, key: string): Promise<boolean> {
  const query = db.selectFrom('unused_avatars').select('key').where('key', '=', key)
  return (await forUpdate(db)(query).executeTakeFirst()) !== undefined
}

export async function removeNote(db: Db, key: string): Promise<void> {
  await db.deleteFrom('unused_avatars').where('key', '=', key).execute()
}

/** The oldest first, so that one whose removal fails is the last of the next turn. */
export const findNotesBefore = (db: ReadDb, sinceMs: number): Promise<{ key: string }[]> =>
  db
    .selectFrom('unused_avatars')
    .select('key')
    .where('since_ms', '<', sinceMs)
    .orderBy('since_ms')
    .limit(1000)
    .execute()

/** True if a user has the picture. The length matches the partial index `users_avatar`, which holds only keys. */
export async function isAvatarUsed(db: ReadDb, key: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('avatar', '=', key).where(sql<boolean>`length(avatar) = 64`)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

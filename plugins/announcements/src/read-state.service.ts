import { type Actor, sql } from '@gatehouse/plugin-kit'
import type { AnnouncementsHost, Db, ReadDb, Reads } from './shape.ts'

/*
 * A user's read state is a mark up to which everything is read, and a row for each read announcement beyond it. The mark
 * moves over read announcements and their rows are deleted, so most users have at most one row.
 */

/**
 * The mark never moves over an announcement younger than this. On PostgreSQL a lower id may be committed after a higher one
 * was read, and would then count as read although nobody has seen it.
 */
const settledAfterMs = 60_000

async function findMark(db: ReadDb, userId: number): Promise<number> {
  const row = await db
    .selectFrom('announcement_read_marks')
    .select('read_to')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.read_to ?? 0
}

/** The unread announcements of a user: published since the account exists, by another user, and not marked. */
function selectUnread(db: ReadDb, userId: number, mark: number, since: string) {
  return db
    .selectFrom('announcements')
    .where('id', '>', mark)
    .where('created_at', '>=', since)
    .where('user_id', '!=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('announcement_reads')
            .select('announcement_id')
            .where('announcement_reads.user_id', '=', userId)
            .whereRef('announcement_reads.announcement_id', '=', 'announcements.id'),
        ),
      ),
    )
}

const findStart = async (from: Reads, userId: number): Promise<string> =>
  (await from.users.find(userId))?.created_at ?? ''

export async function countUnread(from: Reads, userId: number): Promise<number> {
  const { unread } = await selectUnread(from.db, userId, await findMark(from.db, userId), await findStart(from, userId))
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .executeTakeFirstOrThrow()
  return unread
}

/** Which of these announcements a user has not read. */
export async function findUnread(from: Reads, userId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await selectUnread(from.db, userId, await findMark(from.db, userId), await findStart(from, userId))
    .select('id')
    .where('id', 'in', ids)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** Marks these announcements, or all, as read; returns the number of unread ones. Unknown ids are ignored. */
export async function markRead(
  host: AnnouncementsHost,
  actor: Actor,
  ids: readonly number[] | undefined,
): Promise<number> {
  const userId = actor.userId as number
  return host.transaction(actor, async (tx) => {
    const { db } = tx
    const settled = await findSettled(tx)
    let mark = await findMark(db, userId)
    if (ids === undefined) mark = await moveMark(db, userId, mark, settled)
    await addReads(db, userId, mark, ids)
    if (ids !== undefined) {
      const [first] = await selectUnread(db, userId, mark, await findStart(tx, userId))
        .select('id')
        .orderBy('id')
        .limit(1)
        .execute()
      await moveMark(db, userId, mark, first === undefined ? settled : Math.min(settled, first.id - 1))
    }
    return countUnread(tx, userId)
  })
}

async function addReads(db: Db, userId: number, mark: number, ids: readonly number[] | undefined): Promise<void> {
  if (ids?.length === 0) return
  const beyond = db.selectFrom('announcements').where('id', '>', mark)
  const chosen = ids === undefined ? beyond : beyond.where('id', 'in', ids)
  await db
    .insertInto('announcement_reads')
    .columns(['user_id', 'announcement_id'])
    .expression(chosen.select([sql<number>`cast(${userId} as bigint)`.as('user_id'), 'id']))
    .onConflict((conflict) => conflict.columns(['user_id', 'announcement_id']).doNothing())
    .execute()
}

/** The newest announcement before which no other can appear. */
async function findSettled(from: Reads): Promise<number> {
  const now = Date.parse(`${from.now().replace(' ', 'T')}Z`)
  const latest = new Date(now - settledAfterMs).toISOString().slice(0, 19).replace('T', ' ')
  const row = await from.db
    .selectFrom('announcements')
    .select('id')
    .where('created_at', '<=', latest)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** Moves the mark up, never down; returns the new mark. */
async function moveMark(db: Db, userId: number, from: number, to: number): Promise<number> {
  if (to <= from) return from
  await db
    .insertInto('announcement_read_marks')
    .values({ user_id: userId, read_to: to })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ read_to: to }).where('announcement_read_marks.read_to', '<', to),
    )
    .execute()
  await db.deleteFrom('announcement_reads').where('user_id', '=', userId).where('announcement_id', '<=', to).execute()
  return to
}

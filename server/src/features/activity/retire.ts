import type { Context } from '../../core/context.ts'
import type { Db } from '../../db/database.ts'
import { inTransaction } from '../../db/transaction.ts'
import { isLinked, type Link, noHash, signMark, signRetired } from './chain.ts'

type Parts = Pick<Context, 'unguarded' | 'sealer'>

/*
 * Only what is still right is signed. Otherwise whoever can write to the database could change the date of a row, and have
 * the service itself remove it and vouch for that.
 */

/** The last link that retention has removed from the start; undefined if it was not signed here. */
async function readAnchor(db: Db, sealer: Parts['sealer']): Promise<Link | undefined> {
  const found = await db.selectFrom('activity_marks').selectAll().where('name', '=', 'anchor').executeTakeFirst()
  if (found === undefined) return { position: 0, hash: noHash }
  return found.signature === signMark(sealer, 'anchor', found) ? found : undefined
}

/** The links at these positions, by position; that of the anchor is among them. */
async function findLinks(db: Db, sealer: Parts['sealer'], positions: readonly number[]): Promise<Map<number, string>> {
  if (positions.length === 0) return new Map()
  const links = await db
    .selectFrom('activity_chain')
    .select(['position', 'hash'])
    .where('position', 'in', positions)
    .execute()
  const anchor = await readAnchor(db, sealer)
  return new Map([...(anchor === undefined ? [] : [anchor]), ...links].map(({ position, hash }) => [position, hash]))
}

/**
 * Removes rows of the audit log. Their links stay, signed, so that the chain can still be proved on both sides of them. A
 * row that is not what its link says stays, too: `verify` has to find it.
 */
export const retireRows = ({ unguarded, sealer }: Parts, ids: readonly number[]): Promise<void> =>
  inTransaction(unguarded, async (db) => {
    const rows = await db
      .selectFrom('activity')
      .innerJoin('activity_chain', 'activity_chain.activity_id', 'activity.id')
      .selectAll('activity')
      .select(['activity_chain.position', 'activity_chain.hash'])
      .where('activity.id', 'in', ids)
      .execute()
    const before = await findLinks(
      db,
      sealer,
      rows.map(({ position }) => position - 1),
    )
    const changed = new Set<number>()
    for (const row of rows) {
      const previous = before.get(row.position - 1)
      if (previous === undefined || !isLinked(previous, row, row.hash)) {
        changed.add(row.id)
        continue
      }
      await db
        .updateTable('activity_chain')
        .set({ retired: signRetired(sealer, previous, row), user: null })
        .where('position', '=', row.position)
        .execute()
    }
    const removed = ids.filter((id) => !changed.has(id))
    if (removed.length > 0) await db.deleteFrom('activity').where('id', 'in', removed).execute()
  })

/** Links in one transaction. It is short, so other writers and the event loop do not wait long. */
const atOnce = 500

/** The last of the links after the anchor whose rows retention has removed, at most `atOnce` further. */
async function findLastRetired(db: Db, sealer: Parts['sealer'], anchor: Link): Promise<Link> {
  const links = await db
    .selectFrom('activity_chain')
    .select(['position', 'hash', 'retired'])
    .where('position', '>', anchor.position)
    .orderBy('position')
    .limit(atOnce)
    .execute()
  let last = anchor
  for (const link of links) {
    const isNext = link.position === last.position + 1
    if (!isNext || link.retired === null || link.retired !== signRetired(sealer, last.hash, link)) return last
    last = link
  }
  return last
}

/** Replaces links at the start whose rows are all removed by one signed anchor: the last of them. Returns how many, at most `atOnce`. */
const moveAnchorOnce = ({ unguarded, sealer }: Parts): Promise<number> =>
  inTransaction(unguarded, async (db) => {
    const before = await readAnchor(db, sealer)
    if (before === undefined) return 0
    const { position, hash } = await findLastRetired(db, sealer, before)
    if (position === before.position) return 0
    const anchor = { position, hash, signature: signMark(sealer, 'anchor', { position, hash }) }
    await db
      .insertInto('activity_marks')
      .values({ name: 'anchor', ...anchor })
      .onConflict((conflict) =>
        // Another node may have moved it further since it was read here.
        conflict.column('name').doUpdateSet(anchor).where('activity_marks.position', '<', position),
      )
      .execute()
    await db.deleteFrom('activity_chain').where('position', '<=', position).execute()
    return position - before.position
  })

/** Replaces the links at the start whose rows are all removed by one signed anchor: the last of them. */
export async function moveAnchor(from: Parts): Promise<void> {
  while ((await moveAnchorOnce(from)) === atOnce);
}

import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { clockToleranceMs } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { isPostgres, plannedEachTime } from '../../db/dialect.ts'
import { prepareOne } from '../../db/prepare.ts'
import { isIn, rowsOf } from '../../db/rows.ts'
import { inTransaction } from '../../db/transaction.ts'
import { type ChainedRow, type Link, nextHash, signMark } from './chain.ts'

/** How many rows one transaction puts in order. */
export const batch = 500

type Parts = Pick<Context, 'unguarded' | 'clock' | 'sealer'>

const findDue = prepareOne((db: ReadDb, now: number) =>
  db.selectFrom('activity_pending').select('activity_id').where('due_ms', '<=', now).orderBy('due_ms').limit(1),
)

/** The last link of the chain, locked. While another node has it: waits for that node with `wait`, else undefined. */
async function lockHead(db: Db, wait: boolean): Promise<(Link & { signature: string | null }) | undefined> {
  const head = db.selectFrom('activity_marks').select(['position', 'hash', 'signature']).where('name', '=', 'head')
  if (!isPostgres(db)) return head.executeTakeFirst()
  return (wait ? head.forUpdate() : head.forUpdate().skipLocked()).executeTakeFirst()
}

/** The rows that are final, without those that a transaction is still counting in. */
export async function takeFinal(db: Db, now: number): Promise<ChainedRow[]> {
  const skipLocked = isPostgres(db) ? sql`for update skip locked` : sql``
  const ids = sql`
    select activity_id from activity_pending where due_ms <= ${now} order by activity_id limit ${batch} ${skipLocked}`
  const { rows } = await sql<ChainedRow>`
    select id, event, actor_id, api_key_id, subject_type, subject_id, details, request_id, created_at
    from activity where id ${isIn(db, ids)} order by id ${plannedEachTime}`.execute(db)
  return rows
}

/** Rows that still count become final when their minute is over. */
const longestWaitMs = 60_000

/** Makes rows final now whose time is later than it can be, because a clock was set back. */
export async function hastenEvents(db: Db, now: number): Promise<void> {
  await db
    .updateTable('activity_pending')
    .set({ due_ms: now })
    .where('due_ms', '>', now + longestWaitMs + clockToleranceMs)
    .execute()
}

/** Moves waiting rows into the chain, together with their users. */
async function moveToChain(db: Db, links: readonly (Link & { readonly activity_id: number })[]): Promise<void> {
  const given = rowsOf(db, { position: 'integer', activity_id: 'integer', hash: 'text' }, links)
  await sql`insert into activity_chain (position, activity_id, hash, "user")
    select given.position, given.activity_id, given.hash, p."user"
    from ${given} join activity_pending p on p.activity_id = given.activity_id`.execute(db)
  await sql`delete from activity_pending where activity_id in (select given.activity_id from ${given})`.execute(db)
}

/**
 * Gives committed rows of the audit log their place in the one order, and their link in the hash chain. One node does it at
 * a time, outside of the transactions that write, which therefore never wait for each other. A row that is committed late
 * gets a later place, so a reader who follows the places misses none. Returns true if there may be more. `onEvents` is called if
 * there are new ones. Where another node is at it, `wait` says whether this one leaves it to that.
 */
export async function sequence(
  { unguarded, clock, sealer }: Parts,
  { onEvents = () => {}, wait = false }: { readonly onEvents?: () => void; readonly wait?: boolean } = {},
): Promise<boolean> {
  const now = clock().getTime()
  if ((await findDue(unguarded, now)) === undefined) return false
  const count = await inTransaction(unguarded, async (db) => {
    const head = await lockHead(db, wait)
    if (head === undefined) return 0
    const rows = await takeFinal(db, now)
    if (rows.length === 0) return 0
    let last: Link = head
    const links = rows.map((row) => {
      last = { position: last.position + 1, hash: nextHash(last.hash, row) }
      return { ...last, activity_id: row.id }
    })
    await moveToChain(db, links)
    // A head that somebody else wrote is not signed again: `verify` has to find it.
    const isOurs = head.signature === signMark(sealer, 'head', head)
    await db
      .updateTable('activity_marks')
      .set({
        position: last.position,
        hash: last.hash,
        signature: isOurs ? signMark(sealer, 'head', last) : head.signature,
      })
      .where('name', '=', 'head')
      .execute()
    return rows.length
  })
  if (count > 0) onEvents()
  return count === batch
}

/** Puts everything in order that is committed now. */
export async function sequenceAll(parts: Parts): Promise<void> {
  while (await sequence(parts, { wait: true }));
}

import { sql } from 'kysely'
import { clockToleranceMs } from '../../../core/time.ts'
import type { Db, ReadDb } from '../../../db/database.ts'
import { plannedEachTime } from '../../../db/dialect.ts'
import { prepareWrite } from '../../../db/prepare.ts'
import { isIn, rowsOfJson } from '../../../db/rows.ts'
import { webhookHolder } from '../../../outbox/held.ts'
import { type EventRow, eventColumns } from '../../events/payload.ts'
import { findHead } from '../../events/read-events.ts'

/** How many events are looked at for one webhook at a time. After a kill, at most this many messages are sent twice. */
export const batch = 100

/** A message that may be sent now. */
export interface DueMessage extends EventRow {
  readonly subject: string
  readonly attempts: number
}

/** While a node sends to a webhook, no other does. After a kill, others wait this long. */
const leaseMs = 10_000

/** True for a lease that is over, or that ends later than it can: then a clock was set back. */
const isLeaseOver = (now: number) =>
  sql<boolean>`(lease_until_ms <= ${now} or (lease_until_ms > ${now + leaseMs + clockToleranceMs} and holder <> ${webhookHolder}))`

/** The webhooks with something to do that no other node looks after. */
export async function findWaiting(db: ReadDb, holder: string, now: number): Promise<number[]> {
  const head = await findHead(db)
  const rows = await db
    .selectFrom('webhook_queues as q')
    .innerJoin('webhooks as w', 'w.id', 'q.webhook_id')
    .select('q.webhook_id')
    .where('w.enabled', '=', 1)
    .where((is) => is.or([is('q.holder', 'is', null), is('q.holder', '=', holder), isLeaseOver(now)]))
    .where((is) =>
      is.or([
        is('q.cursor', '<', head),
        is.exists(
          is
            .selectFrom('webhook_messages as m')
            .select('m.webhook_id')
            .whereRef('m.webhook_id', '=', 'q.webhook_id')
            .where('m.due_ms', '<=', now),
        ),
      ]),
    )
    .execute()
  return rows.map(({ webhook_id }) => webhook_id)
}

export interface Lease {
  readonly cursor: number
  /** The last of the next events, up to a batch. Where none is kept, the last that there was. */
  readonly up_to: number
  readonly failing_since_ms: number | null
}

/** Takes or extends the lease; undefined where another node has it. */
export async function takeLease(db: Db, id: number, holder: string, now: number): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update webhook_queues set holder = ${holder}, lease_until_ms = ${now + leaseMs}
    where webhook_id = ${id} and (holder is null or holder = ${holder} or ${isLeaseOver(now)})
    returning cursor, failing_since_ms, coalesce(
      (select max(position) from (
        select c.position from activity_chain c where c.position > webhook_queues.cursor order by c.position limit ${batch}
      ) as following),
      (select position from activity_marks where name = 'head')
    ) as up_to ${plannedEachTime}`.execute(db)
  return rows[0]
}

export async function releaseLease(db: Db, id: number): Promise<void> {
  await db.updateTable('webhook_queues').set({ holder: null }).where('webhook_id', '=', id).execute()
}

const promoteFirst = prepareWrite((db: Db, id: number, subjects: string, now: number) => {
  const first = sql`select position from webhook_messages m
    where m.webhook_id = cast(${id} as bigint) and m.subject = given.subject order by m.position limit 1`
  const firsts = sql`select (${first}) from ${rowsOfJson(db, { subject: 'text' }, subjects)}`
  return sql`update webhook_messages set due_ms = cast(${now} as bigint)
    where webhook_id = cast(${id} as bigint) and position ${isIn(db, firsts)} and due_ms is null`
})

/** Makes the first message of each subject due, if it waited for another one. */
export const promote = (db: Db, id: number, subjects: ReadonlySet<string>, now: number): Promise<void> =>
  promoteFirst(db, id, JSON.stringify([...subjects].map((subject) => ({ subject }))), now)

export const moveCursor = prepareWrite(
  (_db: Db, id: number, cursor: number) =>
    sql`update webhook_queues set cursor = cast(${cursor} as bigint) where webhook_id = cast(${id} as bigint)`,
)

/** Messages that are due, each the first about its subject. */
export async function findDue(db: Db, id: number, now: number, limit: number): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select m.subject, m.attempts, ${sql.raw(eventColumns)}
    from (
      select * from webhook_messages d
      where d.webhook_id = ${id} and d.due_ms <= ${now} and d.position = (
        select e.position from webhook_messages e
        where e.webhook_id = d.webhook_id and e.subject = d.subject order by e.position limit 1)
      order by d.due_ms, d.position limit ${limit}
    ) as m join activity a on a.id = m.activity_id join activity_chain c on c.activity_id = a.id
    order by m.due_ms, m.position ${plannedEachTime}`.execute(db)
  return rows
}

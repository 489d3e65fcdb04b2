import { sql } from 'kysely'
import { clockToleranceMs } from '../../../core/time.ts'
import type { Db, ReadDb } from '../../../db/database.ts'
import { plannedEachTime } from '../../../db/dialect.ts'
import { prepareWrite } from '../../../db/prepare.ts'
import { isIn, rowsOf, rowsOfJson } from '../../../db/rows.ts'
import { webhookHolder } from '../../../outbox/held.ts'
import { matcherOf } from '../../events/patterns.ts'
import { type EventRow, eventColumns } from '../../events/payload.ts'
import { eventsBetween, findHead } from '../../events/read-events.ts'
import { subjectOf } from '../messages.ts'
import type { WebhookRow } from '../webhooks.table.ts'

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
  readonly failing_since_ms: number | null
}

/** Takes or extends the lease; undefined where another node has it. */
export async function takeLease(db: Db, id: number, holder: string, now: number): Promise<Lease | undefined> {
  const { rows } = await sql<Lease>`
    update webhook_queues set holder = ${holder}, lease_until_ms = ${now + leaseMs}
    where webhook_id = ${id} and (holder is null or holder = ${holder} or ${isLeaseOver(now)})
    returning cursor, failing_since_ms`.execute(db)
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

/** The subjects of which a message waits. */
async function findBusy(db: Db, id: number, subjects: readonly string[]): Promise<Set<string>> {
  const given = rowsOf(
    db,
    { subject: 'text' },
    subjects.map((subject) => ({ subject })),
  )
  const { rows } = await sql<{ subject: string }>`
    select distinct subject from webhook_messages
    where webhook_id = ${id} and subject ${isIn(db, sql`select given.subject from ${given}`)}`.execute(db)
  return new Set(rows.map(({ subject }) => subject))
}

const messageColumns = { position: 'integer', activity_id: 'integer', subject: 'text', due_ms: 'integer' } as const

const insertMessages = prepareWrite(
  (db: Db, id: number, messages: string) =>
    sql`insert into webhook_messages (webhook_id, position, activity_id, subject, attempts, due_ms)
      select cast(${id} as bigint), given.position, given.activity_id, given.subject, 0, given.due_ms
      from ${rowsOfJson(db, messageColumns, messages)} where true on conflict do nothing`,
)

const moveCursor = prepareWrite(
  (_db: Db, id: number, cursor: number) =>
    sql`update webhook_queues set cursor = cast(${cursor} as bigint) where webhook_id = cast(${id} as bigint)`,
)

/**
 * Moves the next events that match from the log into the queue: one that is about a subject of which a message waits is held
 * behind it.
 */
export async function pull(db: Db, webhook: WebhookRow, cursor: number, now: number): Promise<void> {
  const head = await findHead(db)
  if (head <= cursor) return
  const events = await eventsBetween(db, cursor, head, [], batch)
  const matches = matcherOf(JSON.parse(webhook.events))
  const isWanted = ({ id, event, subject_type, subject_id }: EventRow): boolean => {
    if (id <= webhook.from_id) return false
    const isOwnTest = event === 'webhook.tested' && subject_type === 'webhook' && subject_id === webhook.id
    return isOwnTest || matches(event)
  }
  const wanted = events.filter(isWanted).map((event) => ({ event, subject: subjectOf(event) }))
  if (wanted.length > 0) {
    const busy = await findBusy(
      db,
      webhook.id,
      wanted.map(({ subject }) => subject),
    )
    const messages = wanted.map(({ event, subject }) => {
      const isHeld = busy.has(subject)
      busy.add(subject)
      return { position: event.position, activity_id: event.id, subject, due_ms: isHeld ? null : now }
    })
    await insertMessages(db, webhook.id, JSON.stringify(messages))
  }
  await moveCursor(db, webhook.id, events.length === batch ? (events.at(-1)?.position ?? head) : head)
}

/** Messages that are due, each the first about its subject. */
export async function findDue(db: Db, id: number, now: number, limit: number): Promise<DueMessage[]> {
  const { rows } = await sql<DueMessage>`
    select m.subject, m.attempts, ${sql.raw(eventColumns)}
    from webhook_messages m join activity a on a.id = m.activity_id join activity_chain c on c.activity_id = a.id
    where m.webhook_id = ${id} and m.due_ms <= ${now} and m.position = (
      select e.position from webhook_messages e
      where e.webhook_id = m.webhook_id and e.subject = m.subject order by e.position limit 1)
    order by m.due_ms, m.position limit ${limit} ${plannedEachTime}`.execute(db)
  return rows
}

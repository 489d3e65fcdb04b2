import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tx } from '../../core/context.ts'
import type { Db, RootDb } from '../../db/database.ts'
import { forUpdate, liftStatementTimeout, plannedEachTime, readSql } from '../../db/dialect.ts'
import { backgroundOf } from '../../db/direct.ts'
import { inTransaction } from '../../db/transaction.ts'
import { matching } from '../events/patterns.ts'
import { moveCursor, promote } from './delivery/queue.ts'
import { subjectSql } from './messages.ts'
import type { WebhookRow } from './webhooks.table.ts'

/** Patterns as a condition on `a.event`. */
function matches(patterns: readonly string[]): RawBuilder<SqlBool> {
  const { sql: text, parameters } = matching('a.event', patterns)
  const parts = text.split('?')
  return sql.join(
    parts.map((part, at) => (at < parameters.length ? sql`${sql.raw(part)}${parameters[at]}` : sql.raw(part))),
    sql``,
  )
}

/** Queues events, given as a query of position, id and subject. The first about a subject is due, the others are held. */
async function enqueue(db: Db, id: number, events: RawBuilder<unknown>, now: number): Promise<void> {
  const isEarlier = sql`select m.position from webhook_messages m
    where m.webhook_id = ${id} and m.subject = found.subject and m.position < found.position`
  await sql`
    insert into webhook_messages (webhook_id, position, activity_id, subject, attempts, due_ms)
    select cast(${id} as bigint), position, activity_id, subject, 0,
      case when nth = 1 and not exists (${isEarlier}) then cast(${now} as bigint) end
    from (
      select position, activity_id, subject, row_number() over (partition by subject order by position) as nth
      from (${events}) as given
    ) as found
    where subject is not null
    on conflict do nothing ${plannedEachTime}`.execute(db)
}

/** Queues the events of the log that match the webhook and a condition on `a` (activity), `c` (its place) and `q` (the queue). */
export async function enqueueMatching(
  db: Db,
  { id, events }: Pick<WebhookRow, 'id' | 'events'>,
  condition: RawBuilder<SqlBool>,
  now: number,
): Promise<void> {
  const found = sql`select c.position, c.activity_id, ${subjectSql} as subject
    from webhook_queues q, activity_chain c join activity a on a.id = c.activity_id
    where q.webhook_id = ${id} and ${condition} and ${matches(JSON.parse(events))}`
  await liftStatementTimeout(db)
  await enqueue(db, id, found, now)
}

/** Moves the events after a position up to another one into the queue: those that match, and the webhook's own test. */
export async function pull(db: Db, webhook: WebhookRow, after: number, upTo: number, now: number): Promise<void> {
  const { id, events, from_id } = webhook
  const isOwnTest = sql`a.event = 'webhook.tested' and a.subject_type = 'webhook' and a.subject_id = ${id}`
  // Not a join: PostgreSQL without statistics would read all events of these names, and SQLite all since it was switched on.
  const subject = sql`select ${subjectSql} from activity a
    where a.id = c.activity_id and a.id <> ${from_id} and (${matches(JSON.parse(events))} or ${isOwnTest})`
  const next = sql`select c.position, c.activity_id, (${subject}) as subject
    from activity_chain c where c.position > ${after} and c.position <= ${upTo}`
  await enqueue(db, id, next, now)
  await moveCursor(db, id, upTo)
}

/**
 * Has the messages sent now that meet a condition as in `enqueueMatching`, and the earlier ones about their subjects, whenever their
 * next attempt would have been. Returns how many meet it.
 */
export async function hastenMatching(db: Db, id: number, condition: RawBuilder<SqlBool>, now: number): Promise<number> {
  const meant = sql`from webhook_messages m join webhook_queues q on q.webhook_id = m.webhook_id
    join activity_chain c on c.position = m.position join activity a on a.id = c.activity_id
    where m.webhook_id = ${id} and ${condition}`
  await sql`update webhook_messages set due_ms = ${now}
    where webhook_id = ${id} and due_ms > ${now} and subject in (select m.subject ${meant})`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count ${meant}`.execute(db)
  return Number(rows[0]?.count)
}

/** Keeps others, also on other nodes, from queueing messages and from moving the cursor until the transaction ends. */
async function holdQueue(db: Db, id: number): Promise<void> {
  const queue = db.selectFrom('webhooks').innerJoin('webhook_queues', 'webhook_id', 'id')
  await forUpdate(db)(queue.select('id').where('id', '=', id)).execute()
}

/** Queues what happened while a webhook was on and was not looked at yet, so that it is sent once the webhook is on again. */
export async function keepBacklog({ db, clock }: Pick<Tx, 'db' | 'clock'>, webhook: WebhookRow): Promise<void> {
  await holdQueue(db, webhook.id)
  const isLeft = sql<SqlBool>`c.position > q.cursor and a.id <> ${webhook.from_id}`
  await enqueueMatching(db, webhook, isLeft, clock().getTime())
}

/**
 * Removes messages whose event retention has removed. Nothing could be sent, and the later ones about the subject would wait
 * for ever.
 */
export async function removeMessagesWithoutEvent(db: RootDb, now: number): Promise<void> {
  const isGone = sql`not exists (select a.id from activity a where a.id = webhook_messages.activity_id)`
  const found = sql<{ webhook_id: number }>`select distinct webhook_id from webhook_messages where ${isGone}`
  for (const { webhook_id: id } of await readSql(db, found, 'costly'))
    await inTransaction(backgroundOf(db), async (tx) => {
      await holdQueue(tx, id) // a message that is queued now would wait for one that is being removed
      const { rows } = await sql<{ subject: string }>`
        delete from webhook_messages where webhook_id = ${id} and ${isGone} returning subject`.execute(tx)
      await promote(tx, id, new Set(rows.map(({ subject }) => subject)), now)
    })
}

import { type RawBuilder, sql } from 'kysely'
import type { Db, ReadDb } from '../db/database.ts'
import { isPostgres, plannedEachTime, readSql } from '../db/dialect.ts'
import { type Columns, rowsOf } from '../db/rows.ts'
import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import type { BulkMail } from './message.ts'

/** The lease on a message. A live node renews it; after a node dies, others wait this long. */
export const leaseMs = 10_000

/** The condition of the table's partial index. */
const waiting: RawBuilder<boolean> = sql`status in ('queued', 'sending')`

/** How many messages of each urgency to claim; they are kept apart so that nothing waits behind bulk mail. */
export interface Wanted {
  readonly urgent: number
  readonly bulk: number
}

/**
 * Claims due messages for the time of the lease; no two nodes get the same one. The selections are statements of their own:
 * inside the update, PostgreSQL could repeat them for every row and exceed the limits.
 */
export async function claimDue(
  db: Db,
  kind: DeliveryKind,
  { urgent, bulk }: Wanted,
  now: number,
): Promise<DeliveryRow[]> {
  if (urgent + bulk === 0) return []
  const skipLocked = isPostgres(db) ? sql`for update skip locked` : sql``
  const due = (isBulk: 0 | 1, limit: number) => sql`
    select id from deliveries where kind = ${kind} and bulk = ${isBulk} and ${waiting} and due_ms <= ${now}
    order by due_ms limit ${limit} ${skipLocked}`
  const { rows } = await sql<DeliveryRow>`
    with urgent as materialized (${due(0, urgent)}), bulk as materialized (${due(1, bulk)})
    update deliveries set status = 'sending', attempts = attempts + 1, due_ms = ${now + leaseMs}
    where id in (select id from urgent union all select id from bulk) returning * ${plannedEachTime}`.execute(db)
  return rows
}

/** When the next messages are due; infinite where none waits. */
export async function findNextDue(db: ReadDb, kind: DeliveryKind): Promise<{ urgent: number; bulk: number }> {
  const next = (isBulk: 0 | 1) => sql`
    (select min(due_ms) from deliveries where kind = ${kind} and bulk = ${isBulk} and ${waiting})`
  const rows = await readSql(
    db,
    sql<{ urgent: number | null; bulk: number | null }>`select ${next(0)} as urgent, ${next(1)} as bulk`,
  )
  const never = Number.POSITIVE_INFINITY
  return { urgent: rows[0]?.urgent ?? never, bulk: rows[0]?.bulk ?? never }
}

/** What an attempt came to. */
export interface Outcome extends Pick<DeliveryRow, 'status' | 'sent_at' | 'updated_at' | 'last_error'> {
  /** When to try again; null if the message is finished. */
  readonly due_ms: number | null
  /** 1 if the texts are erased. */
  readonly erase: number
}

/** A message that this node holds. */
export type Held = Pick<DeliveryRow, 'id' | 'attempts'>

/** An outcome that is not written yet. */
export interface Result extends Outcome, Held {
  readonly bulk: number
  /** When it was known, by `performance.now()`. */
  readonly at: number
}

const held: Columns = { id: 'integer', attempts: 'integer' }
const outcome: Columns = {
  status: 'text',
  sent_at: 'text',
  updated_at: 'text',
  last_error: 'text',
  due_ms: 'integer',
  erase: 'integer',
}

/** Records the outcomes of attempts, except where another node has taken the message over. */
export async function finish(db: Db, tries: readonly (Held & Outcome)[]): Promise<void> {
  if (tries.length === 0) return
  await sql`
    update deliveries set
      status = given.status, sent_at = given.sent_at, updated_at = given.updated_at, last_error = given.last_error,
      due_ms = coalesce(given.due_ms, deliveries.due_ms),
      body_text = case when given.erase = 1 then null else deliveries.body_text end,
      body_html = case when given.erase = 1 then null else deliveries.body_html end
    from ${rowsOf(db, { ...held, ...outcome }, tries)}
    where deliveries.id = given.id and deliveries.attempts = given.attempts and deliveries.status = 'sending'`.execute(
    db,
  )
}

const toHeld = ({ id, attempts }: Held): Held => ({ id, attempts })

/** Extends the leases of messages. */
export async function renewLeases(db: Db, messages: readonly Held[], dueMs: number): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update deliveries set due_ms = ${dueMs} from ${rowsOf(db, held, messages.map(toHeld))}
    where deliveries.id = given.id and deliveries.attempts = given.attempts and deliveries.status = 'sending'`.execute(
    db,
  )
}

/** Returns messages that were claimed and not attempted. */
export async function giveBack(db: Db, messages: readonly Held[], now: number): Promise<void> {
  if (messages.length === 0) return
  await sql`
    update deliveries set status = 'queued', attempts = deliveries.attempts - 1, due_ms = ${now}
    from ${rowsOf(db, held, messages.map(toHeld))}
    where deliveries.id = given.id and deliveries.attempts = given.attempts and deliveries.status = 'sending'`.execute(
    db,
  )
}

interface BulkTimes {
  readonly dueMs: number
  readonly giveUpMs: number
  readonly createdAt: string
}

const mostAtOnce = 500
const bulkColumns: Columns = {
  userId: 'integer',
  recipient: 'text',
  recipientKey: 'text',
  headers: 'text',
  perRecipient: 'text',
  messageId: 'text',
}

/** Writes the deliveries of a mail to many. */
export async function insertBulk(
  db: Db,
  body: { id: number; template: string },
  { dueMs, giveUpMs, createdAt }: BulkTimes,
  mails: readonly (BulkMail & { recipientKey: string; messageId: string })[],
): Promise<void> {
  for (let start = 0; start < mails.length; start += mostAtOnce) {
    const given = rowsOf(db, bulkColumns, mails.slice(start, start + mostAtOnce))
    await sql`
      insert into deliveries (
        kind, template, status, user_id, recipient, recipient_key, body_id, per_recipient, bulk, headers, secret,
        message_id, attempts, due_ms, give_up_ms, created_at, updated_at
      )
      select 'mail', ${body.template}, 'queued', given."userId", given.recipient, given."recipientKey", ${body.id},
        given."perRecipient", 1, given.headers, 0, given."messageId", 0, ${dueMs}, ${giveUpMs}, ${createdAt}, ${createdAt}
      from ${given}`.execute(db)
  }
}

import { type RawBuilder, sql } from 'kysely'
import type { Db, ReadDb } from '../db/database.ts'
import { isPostgres, readSql } from '../db/dialect.ts'
import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'
import type { BulkMail } from './message.ts'

/** The condition of the table's partial index. */
const waiting: RawBuilder<boolean> = sql`status in ('queued', 'sending')`

/** Selects bulk mail or everything else; they are kept apart so that nothing waits behind bulk mail. */
export interface Share {
  readonly kind: DeliveryKind
  readonly bulk: 0 | 1
}

/**
 * Claims due messages for the time of the lease; no two nodes get the same one. The
 * selection is a statement of its own: inside the update, PostgreSQL could repeat it for every row and exceed the limit.
 */
export async function claimDue(
  db: Db,
  { kind, bulk }: Share,
  now: number,
  leaseMs: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const skipLocked = isPostgres(db) ? sql`for update skip locked` : sql``
  const { rows } = await sql<DeliveryRow>`
    with due as materialized (
      select id from deliveries where kind = ${kind} and bulk = ${bulk} and ${waiting} and due_ms <= ${now}
      order by due_ms limit ${limit} ${skipLocked}
    )
    update deliveries set status = 'sending', attempts = attempts + 1, due_ms = ${now + leaseMs}
    where id in (select id from due) returning *`.execute(db)
  return rows
}

/** When the next message is due; undefined if none waits. */
export async function findNextDue(db: ReadDb, { kind, bulk }: Share): Promise<number | undefined> {
  const rows = await readSql(
    db,
    sql<{ due: number | null }>`
      select min(due_ms) as due from deliveries where kind = ${kind} and bulk = ${bulk} and ${waiting}`,
  )
  return rows[0]?.due ?? undefined
}

/** The outcome of an attempt. */
export type Outcome = Partial<
  Pick<DeliveryRow, 'status' | 'sent_at' | 'updated_at' | 'last_error' | 'due_ms' | 'body_text' | 'body_html'>
>

/** Records the outcome of an attempt, unless another node has taken the message over. */
export async function finishTry(db: Db, { id, attempts }: DeliveryRow, outcome: Outcome): Promise<void> {
  await db
    .updateTable('deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'sending')
    .execute()
}

type Columns = Readonly<Record<string, 'integer' | 'text'>>

/** Passes any number of rows as one parameter, so that the statement is prepared once. */
const rowsOf = (db: ReadDb, columns: Columns, rows: readonly object[]) => {
  const json = JSON.stringify(rows)
  const names = Object.entries(columns)
  if (isPostgres(db)) {
    const types = names.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type === 'text' ? 'text' : 'bigint')}`)
    return sql`json_to_recordset(${json}::json) as given (${sql.join(types)})`
  }
  const values = names.map(([name]) => sql`value ->> ${sql.lit(name)} as ${sql.ref(name)}`)
  return sql`(select ${sql.join(values)} from json_each(${json})) as given`
}

/** A message that this node holds. */
export type Held = Pick<DeliveryRow, 'id' | 'attempts'>

const held: Columns = { id: 'integer', attempts: 'integer' }
const outcome: Columns = { status: 'text', sent_at: 'text', updated_at: 'text', last_error: 'text', due_ms: 'integer' }

/** The same for many bulk messages in one statement. */
export async function finishTries(db: Db, tries: readonly (Held & Outcome)[]): Promise<void> {
  if (tries.length === 0) return
  const columns: Columns = { ...held, ...outcome }
  await sql`
    update deliveries set
      status = given.status, sent_at = given.sent_at, updated_at = given.updated_at, last_error = given.last_error,
      due_ms = coalesce(given.due_ms, deliveries.due_ms)
    from ${rowsOf(db, columns, tries)}
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

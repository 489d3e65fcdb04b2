import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import type { DeliveryKind, DeliveryRow } from './deliveries.table.ts'

/** As the partial index of the table says it. */
const waiting: RawBuilder<boolean> = sql`status in ('queued', 'sending')`

/**
 * Takes the messages of a kind that are due, for as long as the lease runs; several nodes never get the same one. The
 * choice is made once, apart from the update: PostgreSQL could otherwise make it again for every row, beyond the limit.
 */
export async function claimDue(
  db: Db,
  kind: DeliveryKind,
  now: number,
  leaseMs: number,
  limit: number,
): Promise<DeliveryRow[]> {
  const skipLocked = isPostgres(db) ? sql`for update skip locked` : sql``
  const { rows } = await sql<DeliveryRow>`
    with due as materialized (
      select id from deliveries where kind = ${kind} and ${waiting} and due_ms <= ${now}
      order by due_ms limit ${limit} ${skipLocked}
    )
    update deliveries set status = 'sending', attempts = attempts + 1, due_ms = ${now + leaseMs}
    where id in (select id from due) returning *`.execute(db)
  return rows
}

/** When the next message of a kind is due; undefined while none waits. */
export async function findNextDue(db: Db, kind: DeliveryKind): Promise<number | undefined> {
  const { rows } = await sql<{ due: number | null }>`
    select min(due_ms) as due from deliveries where kind = ${kind} and ${waiting}`.execute(db)
  return rows[0]?.due ?? undefined
}

/** Writes what became of a try, unless another node has taken the message over meanwhile. */
export async function finishTry(db: Db, { id, attempts }: DeliveryRow, outcome: Partial<DeliveryRow>): Promise<void> {
  await db
    .updateTable('deliveries')
    .set(outcome)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'sending')
    .execute()
}

import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { clockToleranceMs, isWindowOver } from '../../core/time.ts'
import type { Db, ReadDb } from '../../db/database.ts'
import { prepare, prepareWrite } from '../../db/prepare.ts'
import { isOneOf } from '../../db/rows.ts'
import { executeBehind } from '../../db/write-behind.ts'

/*
 * Budgets of failures, counted in the database before anything is checked. An attempt reserves a place in each of its
 * budgets. Its result settles them: a failure stays counted, anything else leaves no trace. However many run in parallel, on
 * any number of nodes, no more are checked than the budgets allow. The reservations of a killed node remain until the window
 * ends.
 */

export interface Budget {
  readonly name: string
  /** How many failures a window allows; infinite if they are only counted. */
  readonly limit: number
  readonly windowMs: number
}

export interface Place extends Budget {
  /** When the window of the place ends, epoch milliseconds. */
  readonly endsMs: number
}

export interface UsedUp extends Budget {
  readonly endsMs: number
}

export type Reservation =
  | { readonly state: 'reserved'; readonly places: readonly Place[] }
  /** Nothing is reserved: these budgets are used up in this window. */
  | { readonly state: 'used up'; readonly budgets: readonly UsedUp[] }
  /** Nothing is reserved: whether there is room depends on attempts that are being checked. */
  | { readonly state: 'busy' }

const selectOpen = prepare((db, names: string, nowMs: number) =>
  db
    .selectFrom('tries')
    .select(['name', 'count', 'expires_ms'])
    .where(isOneOf(db, 'name', names))
    .where('expires_ms', '>', nowMs),
)

/** The budgets that are used up. It only reads, so refusing is cheap. */
export async function usedUp(db: ReadDb, nowMs: number, budgets: readonly Budget[]): Promise<UsedUp[]> {
  const rows = await selectOpen(db, JSON.stringify(budgets.map(({ name }) => name)), nowMs)
  return budgets.flatMap((budget) => {
    const row = rows.find(({ name }) => name === budget.name)
    const isOpen = row !== undefined && !isWindowOver(nowMs, row.expires_ms, budget.windowMs, clockToleranceMs)
    return isOpen && row.count >= budget.limit ? [{ ...budget, endsMs: row.expires_ms }] : []
  })
}

/** Sorted by name, so that statements on several rows lock them in the same order and cannot deadlock. */
const byName = (one: { name: string }, other: { name: string }): number => (one.name < other.name ? -1 : 1)

/** Reserves a place in every budget, or in none. It is a separate statement that no transaction rolls back. */
export async function reserve(ctx: Context, budgets: readonly Budget[]): Promise<Reservation> {
  const now = ctx.clock().getTime()
  const values = budgets
    .toSorted(byName)
    .map(({ name, windowMs }) => sql`(${name}, ${sql.lit(0)}, ${sql.lit(1)}, ${now + windowMs})`)
  // A window starts with the first attempt that is counted in it.
  const isOver = sql`(tries.expires_ms <= ${now} or tries.expires_ms > excluded.expires_ms + ${sql.lit(clockToleranceMs)}
    or (tries.count = 0 and tries.reserved = 0))`
  const { rows } = await sql<{ name: string; count: number; reserved: number; expires_ms: number }>`
    insert into tries (name, count, reserved, expires_ms) values ${sql.join(values)}
    on conflict (name) do update set
      count = case when ${isOver} then 0 else tries.count end,
      reserved = case when ${isOver} then 1 else tries.reserved + 1 end,
      expires_ms = case when ${isOver} then excluded.expires_ms else tries.expires_ms end
    returning name, count, reserved, expires_ms`.execute(ctx.unguarded)
  const found = budgets.map((budget) => {
    const row = rows.find(({ name }) => name === budget.name)
    if (row === undefined) throw new Error(`the budget ${budget.name} was not counted`)
    return { ...budget, endsMs: row.expires_ms, count: row.count, reserved: row.reserved }
  })
  if (found.every(({ count, reserved, limit }) => count + reserved <= limit))
    return { state: 'reserved', places: found }
  await settle(ctx.unguarded, found, 0)
  const over = found.filter(({ count, limit }) => count >= limit)
  return over.length === 0 ? { state: 'busy' } : { state: 'used up', budgets: over }
}

/** Releases the places, and adds `failures` to each budget whose window is still the same. Returns the failures of each by name. */
export async function settle(db: Db, places: readonly Place[], failures: number): Promise<Map<string, number>> {
  if (places.length === 0) return new Map()
  const { rows } = await settlement(places, failures).execute(db)
  return new Map(rows.map(({ name, count }) => [name, count]))
}

/** Releases the places, and nothing was wrong. */
export async function releasePlaces(db: Db, places: readonly Place[]): Promise<void> {
  if (places.length > 0) await executeBehind(db, settlement(places, 0))
}

function settlement(places: readonly Place[], failures: number): RawBuilder<{ name: string; count: number }> {
  const values = places
    .toSorted(byName)
    .map(({ name, endsMs }) => sql`(${name}, ${failures}, ${sql.lit(0)}, ${endsMs})`)
  return sql`
    insert into tries (name, count, reserved, expires_ms) values ${sql.join(values)}
    on conflict (name) do update set
      count = tries.count + excluded.count,
      reserved = case when tries.reserved > 0 then tries.reserved - 1 else 0 end
    where tries.expires_ms = excluded.expires_ms
    returning name, count`
}

const resetCounts = prepareWrite((db, names: string) =>
  db
    .updateTable('tries')
    .set({ count: 0 })
    .where(isOneOf(db, 'name', names)),
)

/** Forgets the failures of these budgets after a success. */
export const forgetFailures = (db: Db, names: readonly string[]): Promise<void> =>
  resetCounts(db, JSON.stringify(names.toSorted()))

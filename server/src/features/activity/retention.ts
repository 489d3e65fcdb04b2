import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { canonicalAddress, networkOf, widerNetworkOf } from '../../core/addresses.ts'
import type { Context } from '../../core/context.ts'
import { type Clock, clockToleranceMs, dayMs, daysAgo, isWindowOver, toTimestamp } from '../../core/time.ts'
import type { ReadDb, RootDb } from '../../db/database.ts'
import { readSql } from '../../db/dialect.ts'
import { inTransaction } from '../../db/transaction.ts'
import { moveAnchor, retireRows } from './retire.ts'

/** Entries that are read at once. */
const batch = 1_000
/** Entries in one transaction. It is short, so other writers and the event loop do not wait long. */
const retiredAtOnce = 100
/** After this time, an address is shortened to its network. */
const wholeAddressDays = 30

/** Good and failed sign-ins have a retention period of their own. */
const signInEvents = ['user.signed_in', 'user.sign_in_failed', 'user.sign_ins_limited', 'user.reauthenticated']

/** The last entry before a moment. Ids increase with time, except where a clock was set. */
async function lastIdBefore(db: ReadDb, timestamp: string): Promise<number> {
  const row = await db
    .selectFrom('activity')
    .select('id')
    .where('created_at', '<', timestamp)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? 0
}

/** `192.0.2.7` → `192.0.2.0/24`, `2001:db8:1:2::3` → `2001:db8:1::/48`. Older rows may have a port after the address. */
export const cutAddress = (address: string): string => widerNetworkOf(networkOf(canonicalAddress(address) ?? address))

/** How many days an entry is kept. */
export interface Days {
  readonly activity: number
  readonly signIns: number
}

/** Returns a job that applies the retention settings to the activity. Each call continues where the last one stopped. */
export function createActivityRetention(): (ctx: Context, days: Days) => Promise<void> {
  let cutTo = 0
  return async (ctx, days) => {
    const { unguarded: db, clock } = ctx
    if (!(await isUpdateRecent(ctx))) {
      await deleteBefore(ctx, daysAgo(clock, days.activity), 'not in')
      await deleteBefore(ctx, daysAgo(clock, days.signIns), 'in')
      await moveAnchor(ctx)
    }
    const lastId = await lastIdBefore(db, daysAgo(clock, wholeAddressDays))
    cutTo = await cutAddresses(db, cutTo, lastId, youngTimes(clock))
  }
}

/** 0.1.0 kept everything. Whoever updates from it has a day to choose longer periods: they can only do so once the service runs. */
async function isUpdateRecent({ unguarded, clock }: Context): Promise<boolean> {
  const ran = sql<{ timestamp: string }>`select timestamp from kysely_migration where name = '0030-event-order'`
  const { rows } = await ran.execute(unguarded)
  const now = clock().getTime()
  return rows.some(({ timestamp }) => !isWindowOver(now, Date.parse(timestamp) + dayMs, dayMs, clockToleranceMs))
}

/** Deletes sign-ins, or what is none. */
async function deleteBefore(ctx: Context, timestamp: string, signIns: 'in' | 'not in'): Promise<void> {
  const { unguarded: db } = ctx
  const lastId = await lastIdBefore(db, timestamp)
  const events = sql.join(signInEvents)
  for (let after = 0; ; ) {
    // What still waits for its place in the chain gets it first. Much may lie between: the other kind may be kept for longer.
    const found = sql<{ id: number }>`
      select id from activity where id > ${after} and id <= ${lastId} and created_at < ${timestamp}
        and id not in (select activity_id from activity_pending) and event ${sql.raw(signIns)} (${events})
      order by id limit ${batch}`
    const rows = await readSql(db, found, 'costly')
    const ids = rows.map(({ id }) => id)
    const last = ids.at(-1)
    if (last === undefined) return
    for (let at = 0; at < ids.length; at += retiredAtOnce) await retireRows(ctx, ids.slice(at, at + retiredAtOnce))
    after = last
  }
}

/** The times whose addresses stay whole. */
interface Times {
  readonly from: string
  readonly to: string
}

/** An entry of later than now was written while a clock was ahead: its age is not known, and it counts as old. */
const youngTimes = (clock: Clock): Times => ({
  from: daysAgo(clock, wholeAddressDays),
  to: toTimestamp(new Date(clock().getTime() + clockToleranceMs)),
})

/** Cuts the addresses of old entries; returns the id of the last one before the first young one. */
async function cutAddresses(db: RootDb, fromId: number, lastId: number, young: Times): Promise<number> {
  let cutTo: number | undefined
  const isYoung = ({ created_at }: { created_at: string }) => young.from <= created_at && created_at <= young.to
  for (let after = fromId; ; ) {
    const rows = await db
      .selectFrom('activity')
      .select(['id', 'ip_address', 'created_at'])
      .where('id', '>', after)
      .where('id', '<=', lastId)
      .orderBy('id')
      .limit(batch)
      .execute()
    const upTo = rows.at(-1)?.id ?? lastId
    const old = rows.filter((row) => !isYoung(row))
    await cutBetween(db, after, upTo, new Set(old.map(({ ip_address }) => ip_address)), young)
    const first = rows.find(isYoung)
    if (first !== undefined) cutTo ??= first.id - 1
    if (rows.length < batch) return cutTo ?? lastId
    after = upTo
    await setImmediate()
  }
}

/** One statement for each address that is still whole, all in one transaction. */
async function cutBetween(
  db: RootDb,
  after: number,
  upTo: number,
  addresses: ReadonlySet<string | null>,
  young: Times,
): Promise<void> {
  const whole = [...addresses].filter((address) => address !== null && !address.includes('/')) as string[]
  if (whole.length === 0) return
  await inTransaction(db, async (transaction) => {
    for (const address of whole)
      await transaction
        .updateTable('activity')
        .set({ ip_address: cutAddress(address), user_agent: null })
        .where('id', '>', after)
        .where('id', '<=', upTo)
        .where('ip_address', '=', address)
        .where((is) => is.or([is('created_at', '<', young.from), is('created_at', '>', young.to)]))
        .execute()
  })
}

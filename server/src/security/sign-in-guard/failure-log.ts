import { networkOf } from '../../core/addresses.ts'
import type { Actor, Tx } from '../../core/context.ts'
import type { DetailsOf } from '../../core/events.ts'
import { fromTimestamp, toTimestamp } from '../../core/time.ts'
import { forUpdate } from '../../db/dialect.ts'
import { recordUntil } from '../../features/activity/activity.service.ts'

/**
 * Rows per account and event within one minute: an attacker from many networks with one attempt each must not fill the log.
 * Further attempts are counted in the newest row.
 */
const maxRowsAMinute = 30

type Counted = 'user.sign_in_failed' | 'user.sign_ins_limited' | 'user.reauthenticated'
type Details = { readonly count: number; readonly [field: string]: unknown }

const sameBut = (one: Details, other: Details): boolean => {
  const bare = ({ count: _, ...rest }: Details) => JSON.stringify(Object.entries(rest).sort())
  return bare(one) === bare(other)
}

/** The newest rows of the account that this transaction has recorded itself: they wait for their place in the chain after its end. */
async function rowsOfTransaction(tx: Tx, event: Counted, userId: number) {
  const ids = tx.recorded.flatMap(({ id, event: { subject } }) =>
    id !== undefined && subject.type === 'user' && subject.id === userId ? [id] : [],
  )
  if (ids.length === 0) return []
  return tx.db
    .selectFrom('activity')
    .select(['id', 'ip_address', 'details'])
    .where('id', 'in', ids)
    .where('event', '=', event)
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Records a failed sign-in in the activity: one row a minute for each network and kind, with a count. The caller has locked
 * the counters of the account and network, so that two nodes do not both start a row.
 */
export async function recordCounted<Name extends Counted>(
  tx: Tx,
  actor: Actor,
  event: Name,
  userId: number,
  fields: Omit<DetailsOf<Name>, 'count'>,
  times: number,
): Promise<void> {
  const minute = `${toTimestamp(tx.clock()).slice(0, 17)}00`
  const open = await tx.db
    .selectFrom('activity')
    // A row that is in the chain is final, whatever the clock of this node says.
    .innerJoin('activity_pending', 'activity_pending.activity_id', 'activity.id')
    .select(['id', 'ip_address', 'details'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', userId)
    .where('event', '=', event)
    .where('created_at', '>=', minute)
    .orderBy('id', 'desc')
    .limit(maxRowsAMinute)
    .$call(forUpdate(tx.db))
    .execute()
  const rows = [...(await rowsOfTransaction(tx, event, userId)), ...open].slice(0, maxRowsAMinute)
  const network = networkOf(actor.origin.ip ?? '')
  const details: Details = { ...fields, count: times }
  const alike = rows.filter((row) => sameBut(JSON.parse(row.details ?? '{}'), details))
  const found = alike.find((row) => networkOf(row.ip_address ?? '') === network)
  const row = found ?? (rows.length === maxRowsAMinute ? alike[0] : undefined)
  if (row === undefined) {
    const minuteEndsMs = fromTimestamp(minute) + 60_000
    await recordUntil(tx, { event, actor, subject: { type: 'user', id: userId }, details }, minuteEndsMs)
    return
  }
  const { count } = JSON.parse(row.details ?? '{}') as Details
  await tx.db
    .updateTable('activity')
    .set({ details: JSON.stringify({ ...fields, count: count + times }) })
    .where('id', '=', row.id)
    .execute()
}

/** The same work as `recordCounted` for an unknown name, so that both take equally long. */
export async function pretendToRecord(tx: Tx): Promise<void> {
  const minute = `${toTimestamp(tx.clock()).slice(0, 17)}00`
  await tx.db
    .selectFrom('activity')
    .innerJoin('activity_pending', 'activity_pending.activity_id', 'activity.id')
    .select(['id', 'ip_address', 'details'])
    .where('subject_type', '=', 'user')
    .where('subject_id', '=', 0)
    .where('created_at', '>=', minute)
    .execute()
  await tx.db
    .updateTable('activity')
    .set((eb) => ({ details: eb.ref('details') }))
    .where('id', '=', 0)
    .execute()
}

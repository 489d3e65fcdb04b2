import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor, Reads, Tx } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import type { CoreEvent, DetailsOf, Event, Subject } from '../../core/events.ts'
import { toTimestamp } from '../../core/time.ts'
import { prepareInsertReturning } from '../../db/prepare.ts'
import { rowsOf } from '../../db/rows.ts'
import type { ActivityRow } from './activity.table.ts'

/** Undefined if the event has no details. */
type Details<Name extends CoreEvent> =
  undefined extends DetailsOf<Name> ? [details?: DetailsOf<Name>] : [details: DetailsOf<Name>]

const activityColumns = {
  event: 'text',
  actor_id: 'integer',
  api_key_id: 'integer',
  subject_type: 'text',
  subject_id: 'integer',
  details: 'text',
  ip_address: 'text',
  user_agent: 'text',
  request_id: 'text',
  created_at: 'text',
} as const

/** The columns of a row but for its id. */
export const activityColumnNames = Object.keys(activityColumns) as (keyof typeof activityColumns)[]

export const insertActivity = prepareInsertReturning('activity', activityColumnNames)

export const toRow = ({ clock }: Pick<Tx, 'clock'>, { event, actor, subject, details }: Event) => ({
  event,
  actor_id: actor.userId,
  api_key_id: actor.apiKeyId,
  subject_type: subject.type,
  subject_id: subject.id,
  details: details === undefined ? null : JSON.stringify(details),
  ip_address: actor.origin.ip,
  user_agent: actor.origin.userAgent,
  request_id: actor.origin.requestId,
  created_at: toTimestamp(clock()),
})

/**
 * Records who did what, when and from where. It runs in the transaction of the change, so that neither exists without the
 * other. The same holds for what plugins do in response.
 */
export const recordActivity = <Name extends CoreEvent>(
  tx: Tx,
  actor: Actor,
  event: Name,
  subject: Subject,
  ...[details]: Details<Name>
): Promise<void> => recordEvent(tx, { event, actor, subject, details })

/** Records the same event for many subjects, each with details of its own. */
export async function recordMany<Name extends CoreEvent>(
  tx: Tx,
  event: Name,
  subjects: readonly { readonly subject: Subject; readonly details: DetailsOf<Name> }[],
): Promise<void> {
  if (subjects.length === 0) return
  await writeRecorded(tx)
  const { actor } = tx
  const events = subjects.map(({ subject, details }): Event => ({ event, actor, subject, details }))
  const given = rowsOf(
    tx.db,
    activityColumns,
    events.map((each) => toRow(tx, each)),
  )
  const names = sql.join(activityColumnNames.map((name) => sql.ref(name)))
  const { rows } = await sql<Pick<ActivityRow, 'id' | 'subject_type' | 'subject_id'>>`
    insert into activity (${names}) select ${names} from ${given} returning id, subject_type, subject_id`.execute(tx.db)
  const finalMs = tx.clock().getTime()
  for (const { id, subject_type: type, subject_id } of rows)
    tx.recorded.push({ id, event: { event, actor, subject: { type, id: subject_id }, details: undefined }, finalMs })
  await tx.plugins.reactToMany(tx, events)
}

/** The same for a plugin's event, whose name and details are not in the core's list. */
export async function recordEvent(tx: Tx, event: Event): Promise<void> {
  tx.recorded.push({ id: undefined, event, finalMs: tx.clock().getTime() })
  await tx.plugins.react(tx, event)
}

/** The same for a row that goes on counting until then. It is written at once: this transaction may count in it, too. */
export async function recordUntil(tx: Tx, event: Event, finalMs: number): Promise<void> {
  tx.recorded.push({ id: undefined, event, finalMs })
  await writeRecorded(tx)
  await tx.plugins.react(tx, event)
}

/** The id of the row that the transaction has recorded last; 0 if there is none. */
export async function lastRecordedId(tx: Tx): Promise<number> {
  await writeRecorded(tx)
  return tx.recorded.at(-1)?.id ?? 0
}

/** Writes the rows that wait for the end of the transaction, in their order: those that follow have higher ids. */
async function writeRecorded(tx: Tx): Promise<void> {
  for (const each of tx.recorded) each.id ??= await insertActivity(tx.db, toRow(tx, each.event))
}

/** What a user did and what was done to their account, as the condition of a list. */
export const userActivityScope = (userId: number): RawBuilder<SqlBool> =>
  sql`(actor_id = ${userId} or (subject_type = 'user' and subject_id = ${userId}))`

/** Throws `not_found` if no user has the id. */
export async function assertUserExists({ db }: Reads, id: number): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw errors.not_found()
}

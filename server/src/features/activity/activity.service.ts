import type { Actor, Reads, Tx } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import type { CoreEvent, DetailsOf, Event, Subject } from '../../core/events.ts'
import { toTimestamp } from '../../core/time.ts'
import { prepareInsertReturning } from '../../db/prepare.ts'

/** Undefined if the event has no details. */
type Details<Name extends CoreEvent> =
  undefined extends DetailsOf<Name> ? [details?: DetailsOf<Name>] : [details: DetailsOf<Name>]

const insertActivity = prepareInsertReturning('activity', [
  'event',
  'actor_id',
  'api_key_id',
  'subject_type',
  'subject_id',
  'details',
  'ip_address',
  'user_agent',
  'request_id',
  'created_at',
])

const toRow = ({ clock }: Pick<Tx, 'clock'>, { event, actor, subject, details }: Event) => ({
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

/** Rows per statement: SQLite takes at most 32,766 values in one. */
const rowsAtOnce = 500

/** Records the same event for many subjects, each with details of its own. */
export async function recordMany<Name extends CoreEvent>(
  tx: Tx,
  event: Name,
  subjects: readonly { readonly subject: Subject; readonly details: DetailsOf<Name> }[],
): Promise<void> {
  const { actor } = tx
  for (let at = 0; at < subjects.length; at += rowsAtOnce) {
    const rows = subjects
      .slice(at, at + rowsAtOnce)
      .map(({ subject, details }) => toRow(tx, { event, actor, subject, details }))
    const written = await tx.db
      .insertInto('activity')
      .values(rows)
      .returning(['id', 'subject_type', 'subject_id'])
      .execute()
    const finalMs = tx.clock().getTime()
    for (const { id, subject_type, subject_id } of written)
      tx.recorded.push({ id, userId: subject_type === 'user' ? subject_id : null, finalMs })
  }
  for (const { subject, details } of subjects) await tx.plugins.react(tx, { event, actor, subject, details })
}

/**
 * The same for a plugin's event, whose name and details are not in the core's list. A row that goes on counting is
 * final later than now.
 */
export async function recordEvent(tx: Tx, event: Event, finalMs = tx.clock().getTime()): Promise<void> {
  const id = await insertActivity(tx.db, toRow(tx, event))
  const { subject } = event
  tx.recorded.push({ id, userId: subject.type === 'user' ? subject.id : null, finalMs })
  await tx.plugins.react(tx, event)
}

/** Throws `not_found` if no user has the id. */
export async function assertUserExists({ db }: Reads, id: number): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw errors.not_found()
}

import type { Actor, Reads, Tx } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import type { CoreEvent, DetailsOf, Event, Subject } from '../../core/events.ts'
import { toTimestamp } from '../../core/time.ts'
import { prepareInsert } from '../../db/prepare.ts'

/** Undefined if the event has no details. */
type Details<Name extends CoreEvent> =
  undefined extends DetailsOf<Name> ? [details?: DetailsOf<Name>] : [details: DetailsOf<Name>]

const insertActivity = prepareInsert('activity', [
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

/** The same for a plugin's event, whose name and details are not in the core's list. */
export async function recordEvent(tx: Tx, { event, actor, subject, details }: Event): Promise<void> {
  await insertActivity(tx.db, {
    event,
    actor_id: actor.userId,
    api_key_id: actor.apiKeyId,
    subject_type: subject.type,
    subject_id: subject.id,
    details: details === undefined ? null : JSON.stringify(details),
    ip_address: actor.origin.ip,
    user_agent: actor.origin.userAgent,
    request_id: actor.origin.requestId,
    created_at: toTimestamp(tx.clock()),
  })
  await tx.plugins.react(tx, { event, actor, subject, details })
}

/** Throws `not_found` if no user has the id. */
export async function assertUserExists({ db }: Reads, id: number): Promise<void> {
  const user = await db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst()
  if (user === undefined) throw errors.not_found()
}

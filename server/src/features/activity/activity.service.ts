import type { Actor, Tx } from '../../core/context.ts'
import { toTimestamp } from '../../core/time.ts'

export interface Subject {
  /** A plugin's own things have types of its own. */
  readonly type: 'user' | 'role' | 'permission' | 'api_key' | 'session' | 'settings' | 'delivery' | (string & {})
  readonly id: number | null
}

/**
 * Writes down who did what, when and from where. It is part of the transaction of the change, so that neither exists
 * without the other, and so is what plugins do about it. `details` names fields and ids only: the row outlives the
 * account, and secrets never come here.
 */
export async function recordActivity(
  tx: Tx,
  actor: Actor,
  event: string,
  subject: Subject,
  details?: Record<string, unknown>,
): Promise<void> {
  await tx.db
    .insertInto('activity')
    .values({
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
    .execute()
  await tx.plugins.react(tx, { event, actor, subject, details })
}

import type { Config } from '../../config.ts'
import type { ShownUser } from '../accounts/users.table.ts'
import type { ActivityRow } from '../activity/activity.table.ts'
import { toUser } from '../users/users.service.ts'
import type { EventPayload } from './events.schemas.ts'

/** An event as its receivers get it. */
export interface EventRow
  extends Pick<ActivityRow, 'id' | 'event' | 'actor_id' | 'subject_type' | 'subject_id' | 'details' | 'created_at'> {
  readonly position: number
  /** The user as the change left them, JSON; null where the event is not about one, or they were deleted since. */
  readonly user: string | null
}

/** The columns of an `EventRow`, from `activity as a` and `activity_chain as c`. */
export const eventColumns = `c.position, a.id, a.event, a.actor_id, a.subject_type, a.subject_id, a.details, a.created_at, c."user"`

/** `2026-11-20 10:49:27` → `2026-11-20T10:49:27Z`. */
const toIso = (timestamp: string): string => `${timestamp.replace(' ', 'T')}Z`

export function toPayload(row: EventRow, config: Pick<Config, 'publicUrl'>): EventPayload {
  const { id, actor_id, subject_type, subject_id, details, user } = row
  const subject = { type: subject_type, id: subject_id }
  const shown = user === null ? undefined : toUser(JSON.parse(user) as ShownUser, config)
  return {
    type: row.event,
    timestamp: toIso(row.created_at),
    data: {
      id,
      actor_id,
      subject,
      ...(shown === undefined ? {} : { user: shown }),
      details: details === null ? null : JSON.parse(details),
    },
  }
}

import type { Actor, Reads } from '../../core/context.ts'
import { holds } from '../../core/permissions.ts'
import type { ReadDb } from '../../db/database.ts'

/** The columns of the audit log that describe a change. */
export interface ActivityNote {
  /** Its place in the one order of the log: what is committed late has a later one, so nobody misses it. */
  readonly id: number
  readonly event: string
  readonly actor_id: number | null
  readonly subject_type: string
  readonly subject_id: number | null
  readonly created_at: string
}

/** A hint that something changed. The receiver reloads what it shows. */
export interface Message {
  readonly id: number
  readonly event: string
  readonly subject: { readonly type: string; readonly id: number | null }
  /** Null for the system, and for receivers who may not read the activity. */
  readonly actor_id: number | null
  readonly created_at: string
}

/** The notes after a place, oldest first. */
export const notesAfter = (db: ReadDb, after: number, limit: number): Promise<ActivityNote[]> =>
  db
    .selectFrom('activity_chain as c')
    .innerJoin('activity as a', 'a.id', 'c.activity_id')
    .select(['c.position as id', 'a.event', 'a.actor_id', 'a.subject_type', 'a.subject_id', 'a.created_at'])
    .where('c.position', '>', after)
    .orderBy('c.position')
    .limit(limit)
    .execute()

/**
 * Whether a note is about the actor's account, or about their role and so about what they may do. A deleted role may have been
 * theirs until then: nothing says so any more.
 */
const concerns = ({ userId, roleId }: Actor, { event, subject_type, subject_id }: ActivityNote): boolean =>
  subject_id !== null &&
  ((subject_type === 'user' && subject_id === userId) ||
    (subject_type === 'role' && (subject_id === roleId || event === 'role.deleted')))

/**
 * The note as this actor may see it: everything for actors who may read the activity; otherwise what concerns the actor, and
 * what a plugin announces to everybody. Undefined if the actor may not see it.
 */
export function messageFor({ plugins }: Pick<Reads, 'plugins'>, actor: Actor, note: ActivityNote): Message | undefined {
  const { id, event, actor_id, subject_type, subject_id, created_at } = note
  const subject = { type: subject_type, id: subject_id }
  if (holds(actor.permissions, 'users.activity')) return { id, event, subject, actor_id, created_at }
  if (!concerns(actor, note) && !plugins.openEvents.has(event)) return undefined
  return { id, event, subject, actor_id: actor_id === actor.userId ? actor_id : null, created_at }
}

import { sql } from 'kysely'
import type { Actor, Reads } from '../../core/context.ts'
import { holds } from '../../core/permissions.ts'
import type { ReadDb } from '../../db/database.ts'

/** The columns of the audit log that describe a change. */
export interface ActivityNote {
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

const columns = ['id', 'event', 'actor_id', 'subject_type', 'subject_id', 'created_at'] as const

/** The notes after an id, oldest first. */
export const notesAfter = (db: ReadDb, after: number, limit: number): Promise<ActivityNote[]> =>
  db.selectFrom('activity').select(columns).where('id', '>', after).orderBy('id').limit(limit).execute()

/** The number of the latest note; 0 if there is none. */
export async function latestId(db: ReadDb): Promise<number> {
  const row = await db
    .selectFrom('activity')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return row?.id ?? 0
}

export interface Poll {
  /** Changes with everything that authentication depends on. */
  readonly version: number
  readonly notes: ActivityNote[]
}

/** One query for both: the credential version, and the notes after an id. */
export async function pollAfter(db: ReadDb, after: number, limit: number): Promise<Poll> {
  const rows = await db
    .selectFrom('credential_version')
    .leftJoin(
      (from) => from.selectFrom('activity').select(columns).where('id', '>', after).orderBy('id').limit(limit).as('a'),
      (join) => join.on(sql<boolean>`1 = 1`),
    )
    .select(['credential_version.version', 'a.id', 'a.event', 'a.actor_id'])
    .select(['a.subject_type', 'a.subject_id', 'a.created_at'])
    .orderBy('a.id')
    .execute()
  const notes = rows.flatMap(({ version: _, ...note }) => (note.id === null ? [] : [note as ActivityNote]))
  return { version: rows[0]?.version ?? 0, notes }
}

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

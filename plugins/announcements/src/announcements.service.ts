import type { Actor, Draft } from '@gatehouse/plugin-kit'
import type { CreateAnnouncement, PreviewAnnouncement, UpdateAnnouncement } from './announcements.schemas.ts'
import { renderMarkdown } from './markdown.ts'
import { cancelNotifications, startNotifications } from './notifications.service.ts'
import type { AnnouncementsHost, Db } from './shape.ts'
import type { AnnouncementRow } from './tables.ts'

export const findAnnouncement = (db: Db, id: number): Promise<AnnouncementRow | undefined> =>
  db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()

/** Throws `not_found`. */
export async function getAnnouncement(host: AnnouncementsHost, db: Db, id: number): Promise<AnnouncementRow> {
  const row = await findAnnouncement(db, id)
  if (row === undefined) throw host.notFound()
  return row
}

/** The body as it is stored and shown; a body that cannot be rendered is rejected. */
function renderBody(draft: Draft<{ body: string }>): string {
  const html = draft.given.body === undefined ? '' : renderMarkdown(draft.given.body)
  if (html === undefined) draft.reject('body', 'The body field holds too large a table, or addresses used too often.')
  return html ?? ''
}

export function previewAnnouncement(draft: Draft<PreviewAnnouncement>): { parsed_body: string } {
  const parsed_body = renderBody(draft)
  draft.accept()
  return { parsed_body }
}

const derived = (host: AnnouncementsHost, { title, body }: UpdateAnnouncement) => ({
  ...(title === undefined ? {} : { title_key: host.sortKey(title), title_folded: host.fold(title) }),
  ...(body === undefined ? {} : { body_folded: host.fold(body) }),
})

const isOn = (flag: boolean | string | undefined): boolean => flag === true || flag === 'true' || flag === '1'

export async function createAnnouncement(
  host: AnnouncementsHost,
  actor: Actor,
  draft: Draft<CreateAnnouncement>,
): Promise<AnnouncementRow> {
  const parsed_body = renderBody(draft)
  const { email_notifications, email_notification, title, body } = draft.accept()
  const isMailed = isOn(email_notifications ?? email_notification)
  const row = await host.transaction(async (db) => {
    const now = host.now()
    const created = await db
      .insertInto('announcements')
      .values({
        ...{ user_id: actor.userId as number, title, body, parsed_body, created_at: now, updated_at: now },
        ...(derived(host, { title, body }) as Pick<AnnouncementRow, 'title_key' | 'title_folded' | 'body_folded'>),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await host.recordActivity(db, actor, 'announcement.created', { type: 'announcement', id: created.id })
    if (isMailed) await startNotifications(host, db, actor, created)
    return created
  })
  if (isMailed) host.wake('notify')
  return row
}

/** Fields that are not sent stay as they are. Mails that wait keep the text that they were given. */
export async function updateAnnouncement(
  host: AnnouncementsHost,
  actor: Actor,
  id: number,
  draft: Draft<UpdateAnnouncement>,
): Promise<AnnouncementRow> {
  const known = await getAnnouncement(host, host.db, id)
  const parsed_body = renderBody(draft as Draft<{ body: string }>)
  const sent = draft.accept()
  const fields = (['title', 'body'] as const).filter((field) => sent[field] !== undefined)
  if (fields.every((field) => sent[field] === known[field])) return known
  return host.transaction(async (db) => {
    const before = await getAnnouncement(host, db, id)
    const changed = fields.filter((field) => sent[field] !== before[field])
    const changes = Object.fromEntries(changed.map((field) => [field, sent[field]])) as UpdateAnnouncement
    if (changed.length === 0) return before
    const after = await db
      .updateTable('announcements')
      .set({
        ...{ ...changes, ...derived(host, changes), updated_at: host.now() },
        ...(changes.body === undefined ? {} : { parsed_body }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (after === undefined) throw host.notFound()
    await host.recordActivity(db, actor, 'announcement.updated', { type: 'announcement', id }, { fields: changed })
    return after
  })
}

/** Deletes it with its read state; what of its mails was not sent is not sent any more. */
export async function deleteAnnouncement(host: AnnouncementsHost, actor: Actor, id: number): Promise<void> {
  await host.transaction(async (db) => {
    await getAnnouncement(host, db, id)
    await cancelNotifications(host, db, id)
    await db.deleteFrom('announcements').where('id', '=', id).execute()
    await host.recordActivity(db, actor, 'announcement.deleted', { type: 'announcement', id })
  })
}

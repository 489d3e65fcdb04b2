import type { Actor, Draft } from '@gatehouse/plugin-kit'
import type { CreateAnnouncement, PreviewAnnouncement, UpdateAnnouncement } from './announcements.schemas.ts'
import { cancelNotifications, startNotifications } from './notifications.service.ts'
import type { AnnouncementsHost, ReadDb, Reads, Tx } from './shape.ts'
import type { AnnouncementRow } from './tables.ts'

const findAnnouncement = (db: ReadDb, id: number): Promise<AnnouncementRow | undefined> =>
  db.selectFrom('announcements').selectAll().where('id', '=', id).executeTakeFirst()

/** Throws `not_found`. */
export async function getAnnouncement(from: Reads, id: number): Promise<AnnouncementRow> {
  const row = await findAnnouncement(from.db, id)
  if (row === undefined) throw from.notFound()
  return row
}

/** `renderMarkdown`, in a thread. */
type RenderMarkdown = (body: string) => Promise<string | undefined>

/** The body as it is stored and shown. A body that cannot be rendered is rejected. */
async function renderBody(
  draft: Pick<Draft<{ body: string }>, 'given' | 'reject'>,
  render: RenderMarkdown,
): Promise<string> {
  const html = draft.given.body === undefined ? '' : await render(draft.given.body)
  if (html === undefined) draft.reject('body', 'The body field holds too large a table, or addresses used too often.')
  return html ?? ''
}

export async function previewAnnouncement(
  draft: Draft<PreviewAnnouncement>,
  render: RenderMarkdown,
): Promise<{ parsed_body: string }> {
  const parsed_body = await renderBody(draft, render)
  draft.accept()
  return { parsed_body }
}

const derived = (from: Reads, { title, body }: UpdateAnnouncement) => ({
  ...(title === undefined ? {} : { title_key: from.sortKey(title), title_folded: from.fold(title) }),
  ...(body === undefined ? {} : { body_folded: from.fold(body) }),
})

export async function createAnnouncement(
  host: AnnouncementsHost,
  actor: Actor,
  draft: Draft<CreateAnnouncement>,
  render: RenderMarkdown,
): Promise<AnnouncementRow> {
  const parsed_body = await renderBody(draft, render)
  const { email_notifications, email_notification, title, body } = draft.accept()
  const isMailed = (email_notifications ?? email_notification) === true
  const row = await host.transaction(actor, async (tx) => {
    const now = tx.now()
    const created = await tx.db
      .insertInto('announcements')
      .values({
        user_id: tx.actor.userId as number,
        title,
        body,
        parsed_body,
        created_at: now,
        updated_at: now,
        ...(derived(tx, { title, body }) as Pick<AnnouncementRow, 'title_key' | 'title_folded' | 'body_folded'>),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await tx.recordActivity('announcement.created', { type: 'announcement', id: created.id })
    if (isMailed) await startNotifications(tx, created)
    return created
  })
  if (isMailed) host.wake('notify')
  return row
}

/** Writes what is there, which locks the row on either database: the row as it is then, until the transaction ends. */
async function lockAnnouncement(tx: Tx, id: number): Promise<AnnouncementRow> {
  const locked = tx.db.updateTable('announcements').set((eb) => ({ title: eb.ref('title') }))
  const row = await locked.where('id', '=', id).returningAll().executeTakeFirst()
  if (row === undefined) throw tx.notFound()
  return row
}

/** Fields that are not sent stay unchanged. Queued mails keep their text. */
export async function updateAnnouncement(
  host: AnnouncementsHost,
  actor: Actor,
  id: number,
  draft: Draft<UpdateAnnouncement>,
  render: RenderMarkdown,
): Promise<AnnouncementRow> {
  const known = await getAnnouncement(host, id)
  const parsed_body = await renderBody(draft, render)
  const sent = draft.accept()
  const fields = (['title', 'body'] as const).filter((field) => sent[field] !== undefined)
  if (fields.every((field) => sent[field] === known[field])) return known
  return host.transaction(actor, async (tx) => {
    const before = await lockAnnouncement(tx, id)
    const changed = fields.filter((field) => sent[field] !== before[field])
    if (changed.length === 0) return before
    // Writes every field that was sent, so that a concurrent change comes entirely before or after this one.
    const changes = Object.fromEntries(fields.map((field) => [field, sent[field]])) as UpdateAnnouncement
    const after = await tx.db
      .updateTable('announcements')
      .set({
        ...changes,
        ...derived(tx, changes),
        updated_at: tx.now(),
        ...(changes.body === undefined ? {} : { parsed_body }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (after === undefined) throw tx.notFound()
    await tx.recordActivity('announcement.updated', { type: 'announcement', id }, { fields: changed })
    return after
  })
}

/**
 * Deletes it with its read state; unsent mails are cancelled. Of several parallel deletions one succeeds; the others throw
 * `not_found`.
 */
export async function deleteAnnouncement(host: AnnouncementsHost, actor: Actor, id: number): Promise<void> {
  await host.transaction(actor, async (tx) => {
    await getAnnouncement(tx, id)
    await cancelNotifications(tx, id)
    const { numDeletedRows } = await tx.db.deleteFrom('announcements').where('id', '=', id).executeTakeFirst()
    if (numDeletedRows === 0n) throw tx.notFound()
    await tx.recordActivity('announcement.deleted', { type: 'announcement', id })
  })
}

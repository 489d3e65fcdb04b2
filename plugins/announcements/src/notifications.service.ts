import type { Actor, Progress } from '@gatehouse/plugin-kit'
import type { AnnouncementNotifications } from './notifications.schemas.ts'
import type { AnnouncementsHost, ReadDb, Reads, Tx } from './shape.ts'
import type { AnnouncementRow, NotificationRow } from './tables.ts'

export const isWalking = ({ status, is_walked }: NotificationRow): boolean => status === 'running' && is_walked === 0

/** The numbers, which always add up: users who are neither waiting nor in the outbox were skipped. */
export function toNotifications(row: NotificationRow, outbox: Omit<Progress, 'untried'>): AnnouncementNotifications {
  const { sent, failed } = row.is_final === 1 ? row : outbox
  const waiting = row.is_final === 1 ? 0 : outbox.queued
  // This may exceed the number at the start, if an older account has become active before the walk reached it.
  const total = Math.max(row.total, waiting + sent + failed + row.skipped)
  const queued = isWalking(row) ? total - sent - failed - row.skipped : waiting
  const status = row.status === 'running' && !isWalking(row) && queued === 0 ? 'done' : row.status
  return { status, total, queued, sent, failed, skipped: total - queued - sent - failed }
}

const findNotifications = (db: ReadDb, id: number): Promise<NotificationRow | undefined> =>
  db.selectFrom('announcement_notifications').selectAll().where('announcement_id', '=', id).executeTakeFirst()

/** The progress of the mails of an announcement; throws `not_found` if none were requested. */
export async function getNotifications(from: Reads, id: number): Promise<AnnouncementNotifications> {
  const row = await findNotifications(from.db, id)
  if (row === undefined) throw from.notFound()
  return toNotifications(row, await from.mail.progress(row.batch_id))
}

/** The same for several; those that were never mailed are missing. */
export async function findNotificationsOf(
  from: Reads,
  ids: readonly number[],
): Promise<Map<number, AnnouncementNotifications>> {
  const rows = await from.db
    .selectFrom('announcement_notifications')
    .selectAll()
    .where('announcement_id', 'in', ids)
    .execute()
  const found = new Map<number, AnnouncementNotifications>()
  for (const row of rows) {
    const outbox = row.is_final === 1 ? { queued: 0, sent: 0, failed: 0 } : await from.mail.progress(row.batch_id)
    found.set(row.announcement_id, toNotifications(row, outbox))
  }
  return found
}

/** Starts the mails to all currently active users, in the transaction of the request. */
export async function startNotifications(tx: Tx, { id, title, body, parsed_body }: AnnouncementRow): Promise<void> {
  if ((await findNotifications(tx.db, id)) !== undefined) throw tx.errors.announcements_already_notified()
  const data = { title, body, parsed_body }
  const batch_id = await tx.mail.prepare({ template: 'published', data, perRecipient: ['unsubscribe_url'] })
  const total = await tx.users.countActive()
  await tx.db
    .insertInto('announcement_notifications')
    .values({
      announcement_id: id,
      batch_id,
      status: 'running',
      place: 0,
      last_user_id: await tx.users.lastId(),
      is_walked: 0,
      is_final: 0,
      total,
      skipped: 0,
      sent: 0,
      failed: 0,
      next_ms: 0,
      created_at: tx.now(),
    })
    .execute()
  const subject = { type: 'announcement', id }
  await tx.recordActivity('announcement.notifications_started', subject, { total })
}

/** Cancels unsent mails. Returns true if there was something to cancel. A node in the middle of a batch finishes it first. */
export async function cancelNotifications(tx: Tx, id: number): Promise<boolean> {
  const cancelled = await tx.db
    .updateTable('announcement_notifications')
    .set({ status: 'cancelled' })
    .where('announcement_id', '=', id)
    .where('status', '=', 'running')
    .returning('batch_id')
    .executeTakeFirst()
  if (cancelled === undefined) return false
  await tx.mail.cancel(cancelled.batch_id)
  return true
}

export async function stopNotifications(
  host: AnnouncementsHost,
  actor: Actor,
  id: number,
): Promise<AnnouncementNotifications> {
  return host.transaction(actor, async (tx) => {
    if (await cancelNotifications(tx, id))
      await tx.recordActivity('announcement.notifications_cancelled', { type: 'announcement', id })
    return getNotifications(tx, id)
  })
}

/** How many users a mail would reach now. */
export async function countRecipients(from: Reads): Promise<{ count: number; unsubscribed: number }> {
  const { unsubscribed } = await from.db
    .selectFrom('announcement_opt_outs')
    .select((eb) => eb.fn.countAll<number>().as('unsubscribed'))
    .where('is_active', '=', 1)
    .executeTakeFirstOrThrow()
  return { count: Math.max(0, (await from.users.countActive()) - unsubscribed), unsubscribed }
}

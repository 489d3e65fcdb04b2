import { setImmediate as breathe } from 'node:timers/promises'
import type { Job } from '@gatehouse/plugin-kit'
import { isWalking, toNotifications } from './notifications.service.ts'
import type { AnnouncementsHost, Reads } from './shape.ts'
import type { NotificationRow } from './tables.ts'
import { unsubscribeLinks } from './unsubscribe.service.ts'

/** How many users one transaction processes. */
const batchSize = 200
/** The maximum of mails of one announcement that wait to be tried, so that the outbox stays small. Refused ones hold up nobody. */
const mostWaiting = 1_000
/** The interval in which a limited rate is applied. */
const portionSeconds = 5
/** The longest pause between two batches, at one mail a minute, and how far the clocks of nodes may differ. */
const longestPauseMs = 60_000 + 60_000

/**
 * Walks the active users of announcements that are mailed, one announcement after the other. The position is stored in the
 * transaction that fills the outbox, so a crash leaves nothing half done, and only one of several nodes processes each
 * batch.
 */
export const notifyJob = (host: AnnouncementsHost): Job => ({
  name: 'notify',
  everySeconds: 1,
  run: async (stop) => {
    const open = await host.db
      .selectFrom('announcement_notifications')
      .selectAll()
      .where('is_final', '=', 0)
      .orderBy('announcement_id')
      .execute()
    for (const row of open) if (!isWalking(row)) await finish(host, row)
    const [first] = open.filter(isWalking)
    return first !== undefined && (await walk(host, first, stop))
  },
})

/** When nothing is queued any more, the numbers are stored, because deliveries are not kept for ever. */
async function finish(host: AnnouncementsHost, row: NotificationRow): Promise<void> {
  const outbox = await host.mail.progress(row.batch_id)
  if (outbox.queued > 0) return
  const { status, total, sent, failed } = toNotifications(row, outbox)
  await host.transaction(host.system, ({ db }) =>
    db
      .updateTable('announcement_notifications')
      .set({ status, total, sent, failed, is_final: 1 })
      .where('announcement_id', '=', row.announcement_id)
      .where('status', '=', row.status)
      .where('is_final', '=', 0)
      .execute(),
  )
}

/** Fills the outbox as far as there is room; returns true at the end of the users. */
async function walk(host: AnnouncementsHost, start: NotificationRow, stop: AbortSignal): Promise<boolean> {
  const { mails_per_minute: pace } = await host.settings()
  const size = pace === 0 ? batchSize : Math.max(1, Math.min(batchSize, Math.floor((pace * portionSeconds) / 60)))
  const { untried } = await host.mail.progress(start.batch_id)
  let row = start
  for (let room = mostWaiting - untried; room >= size && !stop.aborted; room -= size) {
    if (pace > 0 && isPausing(host, row)) return false
    const next = await passBatch(host, row, size, pace)
    if (next === undefined || next.is_walked === 1) return true
    row = next
    await breathe()
  }
  return false
}

const nowMs = ({ now }: Reads): number => Date.parse(`${now().replace(' ', 'T')}Z`)

/** A pause that ends later than it can was begun before the clock was set back. */
function isPausing(host: AnnouncementsHost, { next_ms }: NotificationRow): boolean {
  const restMs = next_ms - nowMs(host)
  return restMs > 0 && restMs <= longestPauseMs
}

/** Queues the next users' mails; undefined if another node was faster, or the mails were cancelled. */
async function passBatch(
  host: AnnouncementsHost,
  row: NotificationRow,
  size: number,
  pace: number,
): Promise<NotificationRow | undefined> {
  const { announcement_id, batch_id, last_user_id } = row
  const ahead = await host.users.walkActive(row.place, size)
  const known = ahead.filter(({ id }) => id <= last_user_id)
  const isEnd = known.length < size
  const place = isEnd ? last_user_id : (known.at(-1)?.id ?? last_user_id)
  const links = await unsubscribeLinks(
    host,
    known.map(({ id }) => id),
  )
  return host.transaction(host.system, async (tx) => {
    // Checked again: a user may have been banned since, or have another address.
    const users = (await walkUpTo(tx, row.place, place, size)).filter(({ id }) => links.has(id))
    const spared = new Set(
      users.length === 0
        ? []
        : (
            await tx.db
              .selectFrom('announcement_opt_outs')
              .select('user_id')
              .where(
                'user_id',
                'in',
                users.map(({ id }) => id),
              )
              .execute()
          ).map(({ user_id }) => user_id),
    )
    const mailed = users.filter(({ id }) => !spared.has(id))
    const claimed = await tx.db
      .updateTable('announcement_notifications')
      .set((eb) => ({
        place,
        is_walked: isEnd ? 1 : 0,
        skipped: eb('skipped', '+', spared.size),
        ...(pace === 0 ? {} : { next_ms: nowMs(tx) + Math.ceil((mailed.length * 60_000) / pace) }),
      }))
      .where('announcement_id', '=', announcement_id)
      .where('place', '=', row.place)
      .where('is_walked', '=', 0)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst()
    if (claimed === undefined) return undefined
    const recipients = mailed.map(({ id, email }) => toRecipient(id, email, links.get(id) as string))
    await tx.mail.send(batch_id, recipients)
    return claimed
  })
}

/** The Active users after an id, up to and with `last`. More than `size` where users have become active in the meantime. */
async function walkUpTo({ users }: Reads, afterId: number, last: number, size: number) {
  const found: { id: number; email: string }[] = []
  for (let place = afterId; place < last; ) {
    const page = await users.walkActive(place, size)
    found.push(...page.filter(({ id }) => id <= last))
    place = page.length < size ? last : (page.at(-1)?.id ?? last)
  }
  return found
}

/** One-click unsubscription (RFC 8058). */
const toRecipient = (userId: number, email: string, link: string) => ({
  userId,
  email,
  values: { unsubscribe_url: link },
  headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
})

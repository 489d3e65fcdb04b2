import { timingSafeEqual } from 'node:crypto'
import type { Actor } from '@gatehouse/plugin-kit'
import type { AnnouncementsHost, ReadDb } from './shape.ts'

/** Names the user and proves it. It is part of sent mails, so it is valid as long as the account exists. */
const tokenOf = async (host: AnnouncementsHost, userId: number): Promise<string> =>
  `${userId}.${await host.sign(`unsubscribe ${userId}`)}`

export async function unsubscribeLinks(
  host: AnnouncementsHost,
  userIds: readonly number[],
): Promise<Map<number, string>> {
  const base = `${host.publicUrl}/api/announcements/unsubscribe`
  return new Map(await Promise.all(userIds.map(async (id) => [id, `${base}/${await tokenOf(host, id)}`] as const)))
}

/** The user of a link; throws `not_found` for an invalid link, or if the account was deleted. */
export async function getUserByToken(host: AnnouncementsHost, token = ''): Promise<{ id: number; email: string }> {
  const [, digits] = /^([1-9]\d{0,15})\.[\w-]{43}$/.exec(token) ?? []
  if (digits === undefined) throw host.notFound()
  const expected = Buffer.from(await tokenOf(host, Number(digits)))
  const given = Buffer.from(token)
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  const user = isOurs ? await host.users.find(Number(digits)) : undefined
  if (user === undefined) throw host.notFound()
  return user
}

export async function isSubscribed(db: ReadDb, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('announcement_opt_outs')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row === undefined
}

/** Sets whether a user gets announcements by mail. Mails that are already queued are still sent. */
export async function setSubscribed(
  host: AnnouncementsHost,
  actor: Actor,
  userId: number,
  subscribed: boolean,
): Promise<void> {
  await host.transaction(actor, async (tx) => {
    const user = await tx.users.find(userId)
    if (user === undefined || (await isSubscribed(tx.db, userId)) === subscribed) return
    if (subscribed) {
      const optOut = tx.db.deleteFrom('announcement_opt_outs').where('user_id', '=', userId)
      if ((await optOut.executeTakeFirst()).numDeletedRows === 0n) return // another request ended it first
    } else {
      const is_active = user.status === 'Active' ? 1 : 0
      await tx.db
        .insertInto('announcement_opt_outs')
        .values({ user_id: userId, is_active, created_at: tx.now() })
        .execute()
    }
    const event = subscribed ? 'announcement.subscribed' : 'announcement.unsubscribed'
    await tx.recordActivity(event, { type: 'user', id: userId })
  })
}

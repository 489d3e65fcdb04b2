import { isPublicHost } from '../../core/address-guard.ts'
import type { Actor, Context } from '../../core/context.ts'
import type { Draft } from '../../core/draft.ts'
import { busyFor } from '../../core/errors.ts'
import { createSharedSlots, sharesOf } from '../../core/shared-slots.ts'
import type { ReadDb } from '../../db/database.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { recordActivity } from '../activity/activity.service.ts'
import { readPicture } from '../avatar-files/picture.ts'
import { giveUpAvatar, removeUnusedAvatar, storeAvatar, type TakeAvatar } from '../avatar-files/stored-avatars.ts'
import { applyChanges } from '../users/users.changes.ts'
import { assertMayManage, getLockedUser, getUser } from '../users/users.service.ts'
import type { ExternalAvatar } from './avatars.schemas.ts'

export const maxAvatarBytes = 5 * 1024 * 1024

/**
 * Uploads are held in memory, so their number is limited. The places are shared out by user, so that slow uploads of one
 * user do not block others.
 */
const places = { all: 64, each: { user: 8, network: 16 } }
const receiving = createSharedSlots(places, () => busyFor(5))

export interface Target {
  readonly id: number
  /** Through `/me`, which needs no permission. */
  readonly own: boolean
}

async function assertMaySet(db: ReadDb, actor: Actor, user: UserRow, { own }: Target): Promise<void> {
  if (!own) await assertMayManage(db, actor, user)
}

/**
 * Sets an uploaded picture. `receive` is called only after the actor's permission was checked. If anything fails, the old
 * picture stays and no file is left behind.
 */
export async function uploadAvatar(
  ctx: Context,
  actor: Actor,
  target: Target,
  receive: () => Promise<Buffer>,
): Promise<UserRow> {
  await assertMaySet(ctx.db, actor, await getUser(ctx.db, target.id), target)
  const picture = await receiving(sharesOf(actor), async () => readPicture(await receive(), actor.userId))
  return storeAvatar(ctx, picture, (take) => setAvatar(ctx, actor, target, picture.key, take))
}

/** Sets the address of an external picture. Nothing is fetched from it. */
export async function setExternalAvatar(
  ctx: Context,
  actor: Actor,
  target: Target,
  draft: Draft<ExternalAvatar>,
): Promise<UserRow> {
  await assertMaySet(ctx.db, actor, await getUser(ctx.db, target.id), target)
  if (/[\s\p{Cc}]/u.test(draft.given.url ?? '')) draft.reject('url', 'The url field must be an http or https address.')
  const url = URL.parse(draft.given.url ?? '')
  if (url !== null && !isPublicHost(url)) {
    draft.reject('url', 'The url field must have a host on the public internet.')
  }
  return setAvatar(ctx, actor, target, draft.accept().url)
}

/** Restores the default picture. */
export const removeAvatar = (ctx: Context, actor: Actor, target: Target): Promise<UserRow> =>
  setAvatar(ctx, actor, target, null)

async function setAvatar(
  ctx: Context,
  actor: Actor,
  target: Target,
  avatar: string | null,
  take: TakeAvatar = async () => {},
): Promise<UserRow> {
  const [changed, before] = await ctx.transaction(actor, async (tx) => {
    const user = await getLockedUser(tx.db, target.id)
    await assertMaySet(tx.db, tx.actor, user, target)
    await take(tx)
    if (user.avatar === avatar) return [user, null] as const
    await giveUpAvatar(tx, user.avatar)
    const event = avatar === null ? 'user.avatar_removed' : 'user.avatar_changed'
    await recordActivity(tx, tx.actor, event, { type: 'user', id: user.id })
    return [await applyChanges(tx, tx.actor, user, { avatar }), user.avatar] as const
  })
  await removeUnusedAvatar(ctx, before)
  return changed
}

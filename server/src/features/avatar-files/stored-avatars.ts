import { type Context, systemActor, type Tx } from '../../core/context.ts'
import { errors, ServiceError } from '../../core/errors.ts'
import { avatarFile, avatarSizes, isAvatarKey } from './avatar-url.ts'
import { findNotesBefore, isAvatarUsed, lockNote, noteUnused, removeNote } from './avatars.queries.ts'
import type { Picture } from './picture.ts'
import { fileStorage, type Storage } from './storage.ts'

/*
 * Two users with the same picture share its files, so they go when the last one gives it up. Whoever takes a picture and
 * whoever removes one hold the same row of `unused_avatars` meanwhile: no file goes that somebody is about to refer to.
 */

/** The storage that the operator chose. */
export const storageOf = (ctx: Pick<Context, 'config'>): Storage => fileStorage(ctx.config.storage.dir)

/** Writes a picture's files before its user refers to it: the slow part, outside of any transaction. */
export async function storeAvatar(ctx: Context, picture: Picture): Promise<void> {
  await noteUnused(ctx.unguarded, picture.key, ctx.clock().getTime())
  await putFiles(ctx, picture)
}

/** In the transaction that makes a user refer to the picture. Its files are put back where they were removed just now. */
export async function takeAvatar(tx: Tx, picture: Picture): Promise<void> {
  await noteUnused(tx.db, picture.key, tx.clock().getTime())
  await putFiles(tx, picture)
  await removeNote(tx.db, picture.key)
}

/** In the transaction after which a user no longer refers to `avatar`; then call `removeUnusedAvatar`. */
export async function giveUpAvatar(tx: Tx, avatar: string | null): Promise<void> {
  if (avatar !== null && isAvatarKey(avatar)) await noteUnused(tx.db, avatar, tx.clock().getTime())
}

/** Removes a picture's files if nobody refers to them. It never fails: what cannot be removed now, `removeUnusedAvatars` does. */
export async function removeUnusedAvatar(ctx: Context, avatar: string | null): Promise<void> {
  if (avatar === null || !isAvatarKey(avatar)) return
  const storage = storageOf(ctx)
  await ctx
    .transaction(systemActor, async (tx) => {
      if (!(await lockNote(tx.db, avatar))) return
      // Removing twice is removing once, so that this may run again as every transaction may.
      if (!(await isAvatarUsed(tx.db, avatar))) {
        for (const size of avatarSizes) await storage.remove(avatarFile(avatar, size))
      }
      await removeNote(tx.db, avatar)
    })
    .catch((err) => ctx.log.warn({ err, avatar }, 'an unused avatar could not be removed yet'))
}

const unusedForMs = 10 * 60_000

/** Removes what a crash, a full disk or an absent database left behind. */
export async function removeUnusedAvatars(ctx: Context): Promise<void> {
  const notes = await findNotesBefore(ctx.db, ctx.clock().getTime() - unusedForMs)
  for (const { key } of notes) await removeUnusedAvatar(ctx, key)
  await storageOf(ctx).removeUnfinished()
}

async function putFiles(ctx: Pick<Context, 'config' | 'log'>, { key, files }: Picture): Promise<void> {
  const storage = storageOf(ctx)
  try {
    for (const size of avatarSizes) await storage.put(avatarFile(key, size), files[size])
  } catch (err) {
    ctx.log.error({ err }, 'an avatar could not be stored')
    throw new ServiceError('unavailable', 503, errors.unavailable().message, { retryAfterSeconds: 30 })
  }
}

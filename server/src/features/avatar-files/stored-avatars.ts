import { type Context, systemActor, type Tx } from '../../core/context.ts'
import { busyFor } from '../../core/errors.ts'
import { arePicturesKept } from '../../db/installation.ts'
import { avatarFile, avatarSizes, isAvatarKey } from './avatar-url.ts'
import { findNotesBefore, isAvatarUsed, lockNote, noteUnused, removeNote } from './avatars.queries.ts'
import type { Picture } from './picture.ts'
import { openStorage, type Storage } from './storage.ts'

/*
 * Users with the same picture share its files, which are removed when the last user gives them up. Both adding and removing
 * a picture lock the same row of `unused_avatars`, so that no file is removed that another user is about to refer to.
 */

/** The storage that the configuration names. */
export const storageOf = (ctx: Pick<Context, 'config'>): Storage => openStorage(ctx.config.storage)

/** Writes a picture's files before a user refers to it. This is the slow part, outside any transaction. */
export async function storeAvatar(ctx: Context, picture: Picture): Promise<void> {
  await noteUnused(ctx.unguarded, picture.key, ctx.clock().getTime())
  await putFiles(ctx, picture)
}

/** Call it in the transaction that makes a user refer to the picture. Writes the files again if they were just removed. */
export async function takeAvatar(tx: Tx, picture: Picture): Promise<void> {
  await noteUnused(tx.db, picture.key, tx.clock().getTime())
  await putFiles(tx, picture)
  await removeNote(tx.db, picture.key)
}

/** Call it in the transaction after which a user no longer refers to `avatar`; then call `removeUnusedAvatar`. */
export async function giveUpAvatar(tx: Tx, avatar: string | null): Promise<void> {
  if (avatar !== null && isAvatarKey(avatar)) await noteUnused(tx.db, avatar, tx.clock().getTime())
}

/** Removes a picture's files if no user refers to them. It never fails: `removeUnusedAvatars` retries later. */
export async function removeUnusedAvatar(ctx: Context, avatar: string | null): Promise<void> {
  if (avatar === null || !isAvatarKey(avatar)) return
  const storage = storageOf(ctx)
  await ctx
    .transaction(systemActor, async (tx) => {
      if (!(await lockNote(tx.db, avatar))) return
      if (await arePicturesKept(tx.db, tx.clock().getTime())) return // `removeUnusedAvatars` removes it later
      // Removing twice is harmless, so the transaction may be retried.
      if (!(await isAvatarUsed(tx.db, avatar))) {
        for (const size of avatarSizes) await storage.remove(avatarFile(avatar, size))
      }
      await removeNote(tx.db, avatar)
    })
    .catch((err) => ctx.log.warn({ err, avatar }, 'an unused avatar could not be removed yet'))
}

const unusedForMs = 10 * 60_000

/** Removes files that a crash, a full disk or an unreachable database left behind. */
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
    throw busyFor(30)
  }
}

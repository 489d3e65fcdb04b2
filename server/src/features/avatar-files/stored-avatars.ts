import { setTimeout } from 'node:timers/promises'
import { type Context, systemActor, type Tx } from '../../core/context.ts'
import { busyFor } from '../../core/errors.ts'
import { arePicturesKept } from '../../db/installation.ts'
import { avatarFile, avatarSizes, isAvatarKey } from './avatar-url.ts'
import {
  beginRemoval,
  endRemoval,
  findNotesBefore,
  isAvatarUsed,
  lockNote,
  noteUnused,
  removeNote,
} from './avatars.queries.ts'
import type { Picture } from './picture.ts'
import { openStorage, type Storage } from './storage.ts'

/*
 * Users with the same picture share its files, which are removed when the last user gives them up. Both adding and removing
 * a picture lock the same row of `unused_avatars`, so that no file is removed that another user is about to refer to. A slow
 * storage must keep nobody else waiting, so no transaction is open while files are written or removed.
 */

/** The storage that the configuration names. */
export const storageOf = (ctx: Pick<Context, 'config'>): Storage => openStorage(ctx.config.storage)

/** Call it in the transaction that makes a user refer to the picture. */
export type TakeAvatar = (tx: Tx) => Promise<void>

class FilesRemoved extends Error {}

const mostTries = 5

/**
 * Writes a picture's files, and then lets `use` make a user refer to it. If others have removed them in between, does both
 * again. If anything fails, no file is left. Throws 503 if they cannot be written.
 */
export async function storeAvatar<T>(
  ctx: Context,
  picture: Picture,
  use: (take: TakeAvatar) => Promise<T>,
): Promise<T> {
  const { key } = picture
  try {
    for (let tries = 0; tries < mostTries; tries++) {
      const generation = await noteOnceRemoved(ctx, key)
      await putFiles(ctx, picture)
      try {
        return await use((tx) => takeAvatar(tx, key, generation))
      } catch (error) {
        if (!(error instanceof FilesRemoved)) throw error
      }
    }
    throw busyFor(5)
  } catch (error) {
    await removeUnusedAvatar(ctx, key)
    throw error
  }
}

async function takeAvatar(tx: Tx, key: string, written: string): Promise<void> {
  const generation = await noteUnused(tx.db, key, tx.clock().getTime())
  // Another generation was written by somebody else, after a removal. It is complete once a user refers to it.
  const isThere = generation === written || (generation !== undefined && (await isAvatarUsed(tx.db, key)))
  if (!isThere) throw new FilesRemoved()
  await removeNote(tx.db, key)
}

/** Call it in the transaction after which a user no longer refers to `avatar`; then call `removeUnusedAvatar`. */
export async function giveUpAvatar(tx: Tx, avatar: string | null): Promise<void> {
  if (avatar !== null && isAvatarKey(avatar)) await noteUnused(tx.db, avatar, tx.clock().getTime())
}

/** Removes a picture's files if no user refers to them. False if they could not be: `removeUnusedAvatars` retries later. */
export async function removeUnusedAvatar(ctx: Context, avatar: string | null): Promise<boolean> {
  if (avatar === null || !isAvatarKey(avatar)) return true
  try {
    await removeFiles(ctx, avatar)
    return true
  } catch (err) {
    ctx.log.warn({ err, avatar }, 'an unused avatar could not be removed yet')
    return false
  }
}

async function removeFiles(ctx: Context, key: string): Promise<void> {
  const beganMs = ctx.clock().getTime()
  const isUnused = await ctx.transaction(systemActor, async (tx) => {
    if (!(await lockNote(tx.db, key))) return false
    if (await arePicturesKept(tx.db, beganMs)) return false // `removeUnusedAvatars` removes it later
    if (!(await isAvatarUsed(tx.db, key))) return beginRemoval(tx.db, key, beganMs)
    await removeNote(tx.db, key)
    return false
  })
  if (!isUnused) return
  const storage = storageOf(ctx)
  for (const size of avatarSizes) await storage.remove(avatarFile(key, size))
  await endRemoval(ctx.unguarded, key, beganMs)
}

const unusedForMs = 10 * 60_000

/** Removes files that a crash, a full disk or an unreachable database left behind. Stops at the first that cannot be removed. */
export async function removeUnusedAvatars(ctx: Context): Promise<void> {
  const notes = await findNotesBefore(ctx.db, ctx.clock().getTime() - unusedForMs)
  for (const { key } of notes) if (!(await removeUnusedAvatar(ctx, key))) return
  await storageOf(ctx).removeUnfinished()
}

const longestRemovalMs = 5_000
const betweenLooksMs = 25

/** Notes the picture; returns its generation. Waits while the same picture is being removed, and throws 503 after 5 seconds. */
async function noteOnceRemoved(ctx: Context, key: string): Promise<string> {
  for (let waited = 0; waited < longestRemovalMs; waited += betweenLooksMs) {
    const generation = await noteUnused(ctx.unguarded, key, ctx.clock().getTime())
    if (generation !== undefined) return generation
    await setTimeout(betweenLooksMs)
  }
  throw busyFor(30)
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

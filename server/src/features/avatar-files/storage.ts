import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Config } from '../../config.ts'
import { isAvatarFile } from './avatar-url.ts'
import { s3Storage } from './s3-storage.ts'

/** Storage for pictures. `avatarFile` makes the names; the content of a name never changes. */
export interface Storage {
  /** Stores the bytes atomically and durably. Does nothing if they are stored already. */
  put(name: string, bytes: Buffer): Promise<void>
  /** The bytes, and their length where the storage says it; undefined if there are none. */
  get(name: string): Promise<{ stream: Readable; bytes?: number } | undefined>
  /** Removes the file if it exists. */
  remove(name: string): Promise<void>
  /** Removes the remains of writes that were interrupted more than an hour ago. */
  removeUnfinished(): Promise<void>
}

/** The storage that the configuration names. */
export const openStorage = (storage: Config['storage']): Storage =>
  'dir' in storage ? fileStorage(storage.dir) : s3Storage(storage)

/** In the folder of pictures: what is being written. */
export const incomingFolder = 'incoming'

const unfinishedAfterMs = 60 * 60_000

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Stores files in one folder that only this user can read. */
function fileStorage(folder: string): Storage {
  const incoming = join(folder, incomingFolder)

  // No other name can leave the folder: callers choose neither dots nor slashes.
  const pathOf = (name: string): string => {
    if (!isAvatarFile(name)) throw new Error('not the name of an avatar')
    return join(folder, name)
  }

  const isStored = async (path: string, bytes: number): Promise<boolean> => {
    const found = await stat(path).catch(() => undefined)
    return found?.size === bytes
  }

  const put = async (name: string, bytes: Buffer): Promise<void> => {
    const path = pathOf(name)
    if (await isStored(path, bytes.length)) return
    await mkdir(incoming, { recursive: true, mode: 0o700 })
    const unfinished = join(incoming, randomUUID())
    try {
      await writeDurably(unfinished, bytes)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true }).catch(() => {}) // `removeUnfinished` tries again
      throw error
    }
    await syncFolder(folder)
  }

  const get: Storage['get'] = async (name) => {
    const file = await open(pathOf(name)).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (file === undefined) return undefined
    try {
      return { bytes: (await file.stat()).size, stream: file.createReadStream() }
    } catch (error) {
      await file.close()
      throw error
    }
  }

  const remove = (name: string): Promise<void> => rm(pathOf(name), { force: true })

  const removeUnfinished = async (): Promise<void> => {
    const names = await readdir(incoming).catch(() => [])
    for (const name of names) {
      const path = join(incoming, name)
      const found = await stat(path).catch(() => undefined)
      if (found !== undefined && found.mtimeMs < Date.now() - unfinishedAfterMs) await rm(path, { force: true })
    }
  }

  return { put, get, remove, removeUnfinished }
}

async function writeDurably(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A rename survives a power failure only after its folder has been synced. */
async function syncFolder(folder: string): Promise<void> {
  const directory = await open(folder)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

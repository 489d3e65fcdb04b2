import { renameSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { partialOf } from '../backup/archive-write.ts'
import { removeIfStopped } from './signals.ts'

/**
 * Writes a file beside its place, as `PATH.partial`, and moves it there when it is complete, so that an earlier file stays until
 * then. Devices and pipes are written to directly. `begin` is called once the file is open.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array>,
  begin: () => Promise<void>,
): Promise<void> {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? true
  const target = isFile ? partialOf(path) : path
  // Listen before the file exists: a signal may come at once.
  await removeIfStopped(isFile ? [target] : [], async () => {
    // An existing file would keep its mode and its open readers, and a link would lead elsewhere.
    if (isFile) rmSync(target, { force: true })
    const file = await open(target, isFile ? 'wx' : 'w', 0o600).catch((error) => {
      throw Object.assign(error, { path }) // the file that was named
    })
    try {
      await begin()
      await pipeline(pieces, file.createWriteStream({ flush: isFile }))
      if (isFile) renameSync(target, path)
    } catch (error) {
      await file.close()
      if (isFile) rmSync(target, { force: true })
      throw error
    }
  })
}

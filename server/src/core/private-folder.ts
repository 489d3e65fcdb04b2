import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder that only its owner may enter, and those above it. `recursive` of mkdir would do this, but never comes
 * back where a file system has no place for folders (/proc).
 */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return
  createPrivateFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another starter was faster
  }
}

const modeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mode ?? 0

/** True if users besides owner and group may go through all folders above this one. */
const isReachable = (path: string): boolean =>
  path === dirname(path) || ((modeOf(dirname(path)) & 0o001) !== 0 && isReachable(dirname(path)))

/** The mode of a folder that users besides its owner and group may list, enter or change: `777`. */
export function findOpenMode(path: string): string | undefined {
  const mode = modeOf(path)
  return (mode & 0o007) !== 0 && isReachable(realpathSync(path)) ? (mode & 0o777).toString(8) : undefined
}

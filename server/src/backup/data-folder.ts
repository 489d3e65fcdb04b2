import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { placesOf } from './sqlite-target.ts'
import type { Mark } from './target.ts'

/** A file in a folder or below it. Empty folders do not count: one may be there to mount the pictures at. */
function findFile(folder: string, ignored: readonly string[]): string | undefined {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name === 'lost+found' || ignored.includes(path)) continue // every new ext4 volume has one
    const found = entry.isDirectory() ? findFile(path, ignored) : path
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * Throws ConfigError unless the data folder is empty, but for a database that was looked at already: a secret or picture of
 * somebody else would become part of what is restored. `mark` is that of the database, for the message.
 */
export function assertEmptyFolder({ dataDir, database }: Config, mark: Mark | undefined): void {
  if (!existsSync(dataDir)) return
  const found = findFile(dataDir, database.kind === 'sqlite' ? placesOf(database.path) : [])
  if (found === undefined) return
  const again = mark === undefined ? '' : `, or run \`gatehouse ${mark.command}\` again, which was interrupted`
  throw new ConfigError(
    `${dataDir} is not empty: there is ${found}. Restore into an empty data folder${again}; nothing was changed.`,
  )
}

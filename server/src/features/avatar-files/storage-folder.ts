import { randomUUID } from 'node:crypto'
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { createPrivateFolder } from '../../core/private-folder.ts'
import { readOrMakeSecretFile } from '../../core/secret-file.ts'
import type { RootDb } from '../../db/database.ts'
import { findStorageId, noteStorageId, setStorageId } from '../../db/installation.ts'
import { assertNoneRuns } from '../../nodes/nodes.ts'
import { incomingFolder } from './storage.ts'

type Parts = Pick<Config, 'storage' | 'database' | 'dataDir'>

/** In the folder of pictures. */
export const storageIdFile = 'storage-id'

/**
 * Makes the folder of pictures if it is not there, so that the first upload does not fail. The folder in it shows that files can
 * be made there: in /proc not even root can, whatever the modes say.
 */
function prepareFolder(dir: string): void {
  for (const folder of [dir, join(dir, incomingFolder)]) {
    createPrivateFolder(folder)
    accessSync(folder, constants.W_OK | constants.X_OK)
  }
}

/** Creates the folder of pictures and runs `work`; throws ConfigError if either fails. */
function inFolder<T>(dir: string, { dataDir }: Pick<Parts, 'dataDir'>, work: () => T): T {
  try {
    prepareFolder(dir)
    return work()
  } catch (error) {
    const setting = dir === join(dataDir, 'avatars') ? 'GATEHOUSE_DATA_DIR' : 'GATEHOUSE_STORAGE_URL'
    throw new ConfigError(
      `${setting}: ${dir} cannot be used (${(error as NodeJS.ErrnoException).code}). Name a folder that this user may write to.`,
    )
  }
}

/** Creates the folder of pictures if it does not exist; throws ConfigError if pictures cannot be stored in it. */
export function checkFolder(config: Pick<Parts, 'storage' | 'dataDir'>): void {
  if ('dir' in config.storage) inFolder(config.storage.dir, config, () => {})
}

/** The random id of the folder of pictures, made with it; null where no other node shares it. */
const readFolderId = (dir: string, config: Parts): string | null =>
  inFolder(dir, config, () =>
    config.database.kind === 'postgres' ? readOrMakeSecretFile(join(dir, storageIdFile), randomUUID) : null,
  )

/**
 * Throws ConfigError if pictures cannot be stored in their folder. Several nodes on one PostgreSQL must share it: the database
 * knows the folder by its id, and a node with another one is refused, too.
 */
export async function assertFolder(db: RootDb, config: Parts): Promise<void> {
  const { storage } = config
  if (!('dir' in storage)) return
  const id = readFolderId(storage.dir, config)
  if (id === null || (await noteStorageId(db, id)) === id) return
  throw new ConfigError(
    `GATEHOUSE_STORAGE_URL: ${storage.dir} is another folder than the one with this database's pictures. Share that one among all nodes, use a bucket (s3://…), or run \`gatehouse storage adopt\` if this folder holds the pictures now.`,
  )
}

/** Makes the configured folder the one with the database's pictures. Throws ConfigError while a node runs: it would go on with the former folder. */
export async function adoptFolder(db: RootDb, config: Parts): Promise<void> {
  const { storage } = config
  if (!('dir' in storage)) throw new ConfigError('GATEHOUSE_STORAGE_URL: it is a bucket, which needs no adoption.')
  const id = readFolderId(storage.dir, config)
  if (id === null || (await findStorageId(db)) === id) return
  await assertNoneRuns(db)
  await setStorageId(db, id)
}

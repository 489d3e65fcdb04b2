import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import { createPrivateFolder } from '../../core/private-folder.ts'
import { readOrMakeSecretFile } from '../../core/secret-file.ts'
import type { RootDb } from '../../db/database.ts'
import { noteStorageId, setStorageId } from '../../db/installation.ts'

type Parts = Pick<Config, 'storage' | 'database'>

/** In the folder of pictures. */
export const storageIdFile = 'storage-id'

/** The random id of the folder of pictures, made with it; undefined for a bucket. */
function readFolderId({ storage }: Parts): string | undefined {
  if (!('dir' in storage)) return undefined
  try {
    createPrivateFolder(storage.dir)
    return readOrMakeSecretFile(join(storage.dir, storageIdFile), randomUUID)
  } catch (error) {
    throw new ConfigError(
      `GATEHOUSE_STORAGE_URL: ${storage.dir} cannot be used (${(error as NodeJS.ErrnoException).code}). Name a folder that this user may write to.`,
    )
  }
}

/**
 * Several nodes on one PostgreSQL must share the folder of pictures: the database knows the folder by its id, and a node with
 * another one is refused. Throws ConfigError.
 */
export async function assertSharedFolder(db: RootDb, config: Parts): Promise<void> {
  const id = config.database.kind === 'postgres' ? readFolderId(config) : undefined
  if (id === undefined || !('dir' in config.storage) || (await noteStorageId(db, id)) === id) return
  throw new ConfigError(
    `GATEHOUSE_STORAGE_URL: ${config.storage.dir} is another folder than the one with this database's pictures. Share that one among all nodes, use a bucket (s3://…), or run \`gatehouse storage adopt\` if this folder holds the pictures now.`,
  )
}

/** Makes the configured folder the one with the database's pictures. */
export async function adoptFolder(db: RootDb, config: Parts): Promise<void> {
  const id = readFolderId(config)
  if (id === undefined) throw new ConfigError('GATEHOUSE_STORAGE_URL: it is a bucket, which needs no adoption.')
  await setStorageId(db, id)
}

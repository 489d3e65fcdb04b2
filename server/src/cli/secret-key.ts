import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { createSealer, keyBytes, type Sealer } from '../core/sealing.ts'
import { readOrMakeSecretFile, readSecretFile } from '../core/secret-file.ts'
import type { Db, RootDb } from '../db/database.ts'
import { findKeyFingerprint, noteKeyFingerprint } from '../db/installation.ts'
import { signEmptyHead } from '../features/activity/chain.ts'

export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key')

/** The key in a file's text. Throws ConfigError if the file does not contain a key. */
export function toKey(path: string, text: string): Buffer {
  const key = Buffer.from(text, 'base64url')
  if (key.length === keyBytes) return key
  throw new ConfigError(`${path}: this is no secret key (32 bytes in base64url). Bring the right file back.`)
}

/**
 * The fingerprint of the key that the database was made with; undefined if none is noted yet, which is known without `db`. Throws
 * ConfigError if our key is another one or missing, or if its file does not contain a key. Creates nothing.
 */
export async function checkKey(db: RootDb | undefined, { secretKey, dataDir }: Config): Promise<string | undefined> {
  const path = secretKeyFile(dataDir)
  const text = secretKey === null ? readSecretFile(path) : undefined
  const key = secretKey ?? (text === undefined ? undefined : toKey(path, text))
  const known = db === undefined ? undefined : await findKeyFingerprint(db)
  if (known !== undefined && (key === undefined || createSealer(key).fingerprint !== known)) throw otherKey(path)
  return known
}

/**
 * The sealer of this installation. Its key is GATEHOUSE_SECRET_KEY, or is created once and stored in the data folder. Text
 * that was encrypted with one key cannot be read with another, so a node with another key is refused; throws ConfigError.
 */
export async function openSealer(db: RootDb, config: Config): Promise<Sealer> {
  const known = await checkKey(db, config)
  const path = secretKeyFile(config.dataDir)
  const make = () => randomBytes(keyBytes).toString('base64url')
  const sealer = createSealer(config.secretKey ?? toKey(path, readOrMakeSecretFile(path, make)))
  const noted = known ?? (await noteKeyFingerprint(db, sealer.fingerprint, (tx) => beginChain(tx, sealer)))
  if (noted !== sealer.fingerprint) throw otherKey(path)
  return sealer
}

/** Nothing was logged before the first start: a log without a key is not ours. */
async function beginChain(db: Db, sealer: Sealer): Promise<void> {
  const logged = await db.selectFrom('activity').select('id').limit(1).executeTakeFirst()
  if (logged === undefined) await signEmptyHead(db, sealer)
}

const otherKey = (path: string) =>
  new ConfigError(
    `GATEHOUSE_SECRET_KEY: this database was made with another secret key. Bring back ${path}, or set the key that the other nodes have.`,
  )

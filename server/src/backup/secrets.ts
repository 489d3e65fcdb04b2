import { join } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import { writeNewFile } from '../core/durable-file.ts'
import { createPrivateFolder } from '../core/private-folder.ts'
import { readSecretFile } from '../core/secret-file.ts'
import { ArchiveError } from './archive.ts'

/** The secrets that an installation cannot do without, by the name of their file in the data folder. */
export type Secrets = Readonly<Record<string, string>>

const key = 'secret-key'
const files = [key, 'sms-gateway-secret'] as const

/** The secrets in use: those of the configuration, or the files of the data folder. */
export function readSecrets({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): Secrets {
  const secrets: Record<string, string> = {}
  for (const name of files) {
    const found = readSecretFile(join(dataDir, name))
    if (found !== undefined) secrets[name] = found
  }
  if (secretKey !== null) secrets[key] = secretKey.toString('base64url')
  return secrets
}

/** Writes a secret of an archive into the data folder. Throws ConfigError where another one is there or configured. */
export function restoreSecret(
  { secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>,
  name: string,
  text: string,
): void {
  if (!files.some((known) => known === name)) throw new ArchiveError(`it has an unknown secret ${name}`)
  if (name === key && secretKey !== null) {
    if (secretKey.toString('base64url') === text) return
    throw new ConfigError(
      'GATEHOUSE_SECRET_KEY: the archive was made with another secret key. Leave it out: the restore brings the key.',
    )
  }
  const path = join(dataDir, name)
  const there = readSecretFile(path)
  if (there === text) return
  if (there !== undefined) throw new ConfigError(`${path} holds another secret. Restore into an empty data folder.`)
  createPrivateFolder(dataDir)
  writeNewFile(path, `${text}\n`)
}

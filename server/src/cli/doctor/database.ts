import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../config.ts'
import { createSealer } from '../../core/sealing.ts'
import { readSecretFile } from '../../core/secret-file.ts'
import type { RootDb } from '../../db/database.ts'
import { reasonOf } from '../../db/failures.ts'
import { findKeyFingerprint, findStorageId } from '../../db/installation.ts'
import { compareMigrations } from '../../db/migrate.ts'
import { openForReading } from '../../db/open.ts'
import { hostsOf, parseHosts } from '../../db/postgres/address.ts'
import { findUnfinished, readUnfinishedFile } from '../../db/unfinished.ts'
import { storageIdFile } from '../../features/avatar-files/storage-folder.ts'
import { counted } from '../output.ts'
import { secretKeyFile, toKey } from '../secret-key.ts'
import { broken, type Finding, ok, warning } from './check.ts'

/** A clock that differs more makes codes and links of one node invalid on another. */
const maxSkewMs = 2_000

async function checkSchema(db: RootDb): Promise<Finding> {
  const { known, pending, unknown, isUsable } = await compareMigrations(db)
  if (isUsable && unknown.length > 0)
    return warning('schema', 'is that of a newer version, beside which this one runs', 'Update this node, too.')
  if (unknown.length > 0)
    return broken('schema', `has ${unknown[0]}, which this version does not know`, 'Start the version that made it.')
  if (pending.length === known) return ok('schema', 'empty: the first start creates it')
  return pending.length === 0
    ? ok('schema', `all ${known} migrations have run`)
    : warning(
        'schema',
        `${counted(pending.length, 'migration is', 'migrations are')} pending`,
        'Run `gatehouse migrate`, or start the service.',
      )
}

const isInstalled = async (db: RootDb): Promise<boolean> =>
  (await db.introspection.getTables()).some(({ name }) => name === 'installation')

/** The text of a file, undefined if there is none; or the finding that this user may not read it. */
function readFor(check: string, path: string): string | undefined | Finding {
  try {
    return readSecretFile(path)
  } catch (error) {
    return broken(check, `${path} cannot be read (${reasonOf(error)})`, 'Let this user read it.')
  }
}

async function checkSecretKey(db: RootDb, { secretKey, dataDir }: Config): Promise<Finding> {
  const path = secretKeyFile(dataDir)
  const expected = (await isInstalled(db)) ? await findKeyFingerprint(db) : undefined
  const text = secretKey === null ? readFor('secret key', path) : undefined
  if (typeof text === 'object') return text
  let key: Buffer | undefined
  try {
    key = secretKey ?? (text === undefined ? undefined : toKey(path, text))
  } catch {
    return broken('secret key', `${path} holds no secret key`, 'Bring the right file back.')
  }
  if (expected === undefined) return ok('secret key', key === undefined ? 'the first start creates it' : 'set')
  const isRight = key !== undefined && createSealer(key).fingerprint === expected
  return isRight
    ? ok('secret key', 'is that of the database')
    : broken(
        'secret key',
        key === undefined ? 'is missing' : 'is not that of the database',
        `Bring back ${path}, or set GATEHOUSE_SECRET_KEY as on the other nodes.`,
      )
}

/** Nodes on one PostgreSQL share a folder of pictures, which the database knows by its id. */
async function checkFolderId(db: RootDb, { database, storage }: Config): Promise<Finding[]> {
  if (database.kind === 'sqlite' || !('dir' in storage)) return []
  const expected = (await isInstalled(db)) ? await findStorageId(db) : undefined
  if (expected === undefined) return []
  const id = readFor('pictures', join(storage.dir, storageIdFile))
  if (typeof id === 'object') return [id]
  if (id === expected) return []
  const advice = 'Share that one among all nodes, use a bucket, or run `gatehouse storage adopt`.'
  return [broken('pictures', `${storage.dir} is another folder than the one with this database's pictures`, advice)]
}

const unfinished = (command: string): Finding =>
  broken(
    'database',
    `is not whole: \`gatehouse ${command}\` is running or was interrupted`,
    'Run it again, or empty the database.',
  )

interface ServerState {
  version: string
  is_replica: boolean
  read_only: string
  now_ms: number
}

async function checkServer(db: RootDb): Promise<Finding[]> {
  const { rows } = await sql<ServerState>`
    select current_setting('server_version') as version, pg_is_in_recovery() as is_replica,
      current_setting('transaction_read_only') as read_only,
      extract(epoch from clock_timestamp())::float8 * 1000 as now_ms`.execute(db)
  const { version, is_replica, read_only, now_ms } = rows[0] as ServerState
  const skewMs = Math.round(Math.abs(Date.now() - now_ms))
  const advice = 'Name the primary in GATEHOUSE_DATABASE_URL, or several hosts with target_session_attrs=read-write.'
  return [
    is_replica || read_only === 'on'
      ? broken('database', `PostgreSQL ${version} takes no writes`, advice)
      : ok('database', `PostgreSQL ${version}`),
    skewMs > maxSkewMs
      ? warning('clock', `differs from the database's by ${skewMs} ms`, 'Run an NTP client on both machines.')
      : ok('clock', `agrees with the database's within ${maxSkewMs} ms`),
  ]
}

async function checkReplica(url: string): Promise<Finding> {
  const host = hostsOf(url)
  const db = openForReading({ kind: 'postgres', url })
  try {
    const { rows } = await sql<{ is_replica: boolean }>`select pg_is_in_recovery() as is_replica`.execute(db)
    if (rows[0]?.is_replica) return ok('replica', host)
    return warning(
      'replica',
      `${host} is no standby`,
      'Name standbys in GATEHOUSE_DATABASE_READ_URL, or leave it empty.',
    )
  } catch (error) {
    const advice = 'Until it can, the primary does its work. See GATEHOUSE_DATABASE_READ_URL.'
    return warning('replica', `${host} cannot be read (${reasonOf(error)})`, advice)
  } finally {
    await db.destroy()
  }
}

/** The replicas that lists and searches are read from. */
export const checkReplicas = ({ databaseReadUrl }: Pick<Config, 'databaseReadUrl'>): Promise<Finding[]> =>
  Promise.all(databaseReadUrl === null ? [] : parseHosts(databaseReadUrl).urls.map(checkReplica))

/** The database, its schema, its secret key, its folder of pictures and its clock. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { database } = config
  let db: RootDb | undefined
  try {
    const begun = database.kind === 'sqlite' ? readUnfinishedFile(database.path) : undefined
    if (begun !== undefined) return [unfinished(begun)]
    if (database.kind === 'sqlite' && !existsSync(database.path))
      return [ok('database', `${database.path} does not exist: the first start creates it`)]
    db = openForReading(database)
    const server = database.kind === 'postgres' ? await checkServer(db) : [ok('database', `SQLite, ${database.path}`)]
    const filling = database.kind === 'postgres' ? await findUnfinished(db) : undefined
    if (filling !== undefined) return [unfinished(filling)]
    return [...server, await checkSchema(db), await checkSecretKey(db, config), ...(await checkFolderId(db, config))]
  } catch (error) {
    const advice = 'Is it running, is the address right, and may this user read it? See GATEHOUSE_DATABASE_URL.'
    return [broken('database', `cannot be read (${reasonOf(error)})`, advice)]
  } finally {
    await db?.destroy()
  }
}

import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { type Context, type Log, silentLog } from '../core/context.ts'
import type { Sealer } from '../core/sealing.ts'
import type { Telemetry } from '../core/telemetry.ts'
import { createContext } from '../create-context.ts'
import type { RootDb } from '../db/database.ts'
import { isRefused, isUnavailable, reasonOf, unavailableReason } from '../db/failures.ts'
import { assertUsable, compareMigrations, installationMigration, migrate, NewerDatabaseError } from '../db/migrate.ts'
import { openDatabase, openForReading } from '../db/open.ts'
import { hostsOf } from '../db/postgres/address.ts'
import { findUnfinished, readUnfinishedFile, refuseUnfinished } from '../db/unfinished.ts'
import { signEmptyHead } from '../features/activity/chain.ts'
import { checkBreachedFile } from '../features/passwords/breached-passwords.ts'
import { installPlugins } from '../plugin-host/install.ts'
import { type LoadedPlugin, loadPlugins } from '../plugin-host/load.ts'
import { createProgress } from './progress.ts'
import { reportAddresses } from './report-addresses.ts'
import { checkKey, openSealer } from './secret-key.ts'

/** The setting that says where this database of SQLite is. */
const settingOf = (path: string, { dataDir }: Config): string =>
  dirname(path) === dataDir ? 'GATEHOUSE_DATA_DIR' : 'GATEHOUSE_DATABASE_URL'

function refuse(config: Config, error: unknown): never {
  if (error instanceof ConfigError) throw error
  if (error instanceof NewerDatabaseError) {
    throw new ConfigError(
      `the database was made by a newer version of Gatehouse: ${error.message}. Start that version or a newer one.`,
    )
  }
  const reason = reasonOf(error)
  if (config.database.kind === 'sqlite') {
    const { path } = config.database
    const isFull = unavailableReason(error) === 'disk_full'
    const advice = isFull ? 'There is no space left on its disk.' : 'Name a place that this user may write to.'
    throw new ConfigError(`${settingOf(path, config)}: ${path} cannot be opened (${reason}). ${advice}`)
  }
  const host = hostsOf(config.database.url)
  throw new ConfigError(
    `GATEHOUSE_DATABASE_URL: the database at ${host} cannot be used (${reason}). Is it running, and are name and password right?`,
  )
}

/** Opens and migrates the configured database for `work`, and closes it again. */
export async function withContext<T>(work: (ctx: Context) => Promise<T>, config: Config = loadConfig()): Promise<T> {
  const ctx = await openContext(config)
  try {
    return await work(ctx)
  } finally {
    await ctx.unguarded.destroy()
  }
}

/** The file of a SQLite database that does not exist; undefined if the database is there, or is on a server. */
const missingFile = ({ database }: Config): string | undefined =>
  database.kind === 'sqlite' && !existsSync(database.path) ? database.path : undefined

/**
 * The same for commands that tell or change what is there. Where the place is mistyped they would create a database, and tell that
 * it is empty: a backup of nothing would look like one of everything.
 */
export async function withExisting<T>(work: (ctx: Context) => Promise<T>, config: Config = loadConfig()): Promise<T> {
  const missing = missingFile(config)
  if (missing !== undefined) {
    throw new ConfigError(
      `${settingOf(missing, config)}: there is no database at ${missing}. Is this its place? The first start creates one.`,
    )
  }
  return withContext(work, config)
}

/** The same for commands that add something, also to a database that they begin: then they say where it is. */
export async function withNewOrExisting<T>(work: (ctx: Context) => Promise<T>): Promise<T> {
  const config = loadConfig()
  const missing = missingFile(config)
  if (missing !== undefined)
    process.stderr.write(`gatehouse: there was no database at ${missing}: a new one begins there.\n`)
  return withContext(work, config)
}

/** Opens the configured database for `work`, which changes nothing, without migrating it, and closes it again. */
export async function withDatabase<T>(config: Config, work: (db: RootDb) => Promise<T>): Promise<T> {
  let db: RootDb | undefined
  try {
    db = openForReading(config.database)
    return await work(db)
  } catch (error) {
    return refuse(config, error)
  } finally {
    await db?.destroy()
  }
}

async function checkBreachedPasswords({ breachedPasswords: path }: Config): Promise<void> {
  if (path === null) return
  await checkBreachedFile(path).catch((error) => {
    throw new ConfigError(
      `GATEHOUSE_BREACHED_PASSWORDS: ${path} cannot be used (${reasonOf(error)}). Name a file of SHA-1 hashes, one a line, in order of the hashes.`,
    )
  })
}

/** Fewer rows are migrated quickly. */
const manyRows = 20_000

/** Shows the progress of a long migration. */
function reportProgress(): (step: string, done: number, total: number) => void {
  let shown: ((done: number) => void) | undefined
  return (step, done, total) => {
    if (total < manyRows) return
    if (shown === undefined) {
      process.stderr.write(`${step} (${total} users). Others may read in the meantime.\n`)
      shown = createProgress(process.stderr, total)
    }
    shown(done)
  }
}

const lookEveryMs = 500

/** How long a database is waited for that is not reachable yet, and what ends the wait. */
export interface Wait {
  readonly seconds: number
  readonly stopped: Promise<unknown>
}

/** What differs from command to command. */
interface Opening {
  readonly wait?: Wait
  readonly telemetry?: Telemetry | undefined
  /** Refuses what is wrong before anything is written. `db` is undefined where the database is still to be created. */
  readonly check?: (db: RootDb | undefined) => Promise<void>
}

const noWait: Wait = { seconds: 0, stopped: new Promise(() => {}) }

/** Waits for a database that starts at the same time. A stop meanwhile ends the process: nothing has begun yet. */
async function waitForDatabase(db: RootDb, { database }: Config, { seconds, stopped }: Wait): Promise<void> {
  const deadline = performance.now() + seconds * 1_000
  for (let isTold = false; ; isTold = true) {
    try {
      await sql`select 1`.execute(db)
      return
    } catch (error) {
      if (database.kind === 'sqlite' || !isUnavailable(error) || isRefused(error)) throw error
      if (performance.now() >= deadline) throw error
      if (!isTold) {
        process.stderr.write(
          `gatehouse: waiting up to ${seconds} s for the database at ${hostsOf(database.url)} (${reasonOf(error)})\n`,
        )
      }
      const isStopped = await Promise.race([pause(lookEveryMs, false), stopped.then(() => true)])
      if (isStopped) process.exit(0)
    }
  }
}

/** Opens and migrates the configured database, for these plugins, too. */
async function openMigrated(
  config: Config,
  plugins: readonly LoadedPlugin[],
  log: Log,
  { wait = noWait, check = async () => {} }: Opening,
): Promise<{ db: RootDb; sealer: Sealer }> {
  try {
    if (config.database.kind === 'sqlite') refuseUnfinished(readUnfinishedFile(config.database.path))
    const isMissing = missingFile(config) !== undefined
    if (isMissing) {
      await checkKey(undefined, config)
      await check(undefined)
    }
    const db = openDatabase(config.database, (error) => log.warn({ err: error }, 'a database connection broke'), {
      poolSize: config.databasePool,
      readUrl: config.databaseReadUrl,
    })
    await waitForDatabase(db, config, wait)
    if (config.database.kind === 'postgres') refuseUnfinished(await findUnfinished(db))
    if (!isMissing) {
      const { pending, known } = await assertUsable(db)
      await checkKey(pending.includes(installationMigration) ? undefined : db, config)
      await check(pending.length === known ? undefined : db)
    }
    const ran = await migrate(db, reportProgress(), () =>
      process.stderr.write('gatehouse: waiting for another node, which migrates the database\n'),
    )
    const { unknown } = await compareMigrations(db)
    if (unknown.length > 0) log.warn({ migrations: unknown }, 'a newer version runs on this database, too')
    if (ran.includes('0007-address-forms')) await reportAddresses(db, log)
    await installPlugins(db, plugins)
    const sealer = await openSealer(db, config)
    if (ran.includes('0030-event-order')) await signEmptyHead(db, sealer) // an older log gets its chain
    return { db, sealer }
  } catch (error) {
    return refuse(config, error)
  }
}

/** Loads the plugins, and opens and migrates the configured database; throws ConfigError with one line that says what to do. */
export async function openContext(config: Config, log: Log = silentLog, opening: Opening = {}): Promise<Context> {
  const plugins = await loadPlugins(config.plugins)
  await checkBreachedPasswords(config)
  const { db, sealer } = await openMigrated(config, plugins, log, opening)
  return createContext({ db, config, sealer, log, plugins, telemetry: opening.telemetry })
}

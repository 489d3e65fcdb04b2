import { dirname } from 'node:path'
import { sql } from 'kysely'
import { createContext } from '../app.ts'
import { type Config, ConfigError, loadConfig } from '../config.ts'
import { type Context, type Log, silentLog } from '../core/context.ts'
import { systemClock } from '../core/time.ts'
import { migrate, NewerDatabaseError } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { loadPlugins } from '../plugins/load.ts'
import { settlePlugins } from '../plugins/settle.ts'

const reasonOf = (error: unknown): string => {
  const { code, message, errors } = error as { code?: string; message?: string; errors?: { code?: string }[] }
  return code ?? errors?.[0]?.code ?? message ?? String(error)
}

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
    const setting = dirname(path) === config.dataDir ? 'GATEHOUSE_DATA_DIR' : 'GATEHOUSE_DATABASE_URL'
    throw new ConfigError(`${setting}: ${path} cannot be opened (${reason}). Name a place that this user may write to.`)
  }
  const { host } = new URL(config.database.url)
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
    await ctx.db.destroy()
  }
}

/** Loads the plugins, and opens and migrates the configured database; throws ConfigError with one line that says what to do. */
export async function openContext(config: Config, log: Log = silentLog): Promise<Context> {
  const plugins = await loadPlugins(config.plugins)
  try {
    const db = openDatabase(config.database, (error) => log.warn({ err: error }, 'a database connection broke'))
    await sql`select 1`.execute(db)
    await migrate(db)
    await settlePlugins(db, plugins)
    return createContext(db, config, systemClock, log, plugins)
  } catch (error) {
    return refuse(config, error)
  }
}

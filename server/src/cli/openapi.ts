import { Kysely } from 'kysely'
import { createApp, createContext } from '../app.ts'
import { parseConfig } from '../config.ts'
import { silentLog } from '../core/context.ts'
import { systemClock } from '../core/time.ts'
import type { Database } from '../db/database.ts'
import { sqliteDialect } from '../db/sqlite.ts'
import { loadPlugins } from '../plugins/load.ts'
import { printJson } from './output.ts'

/** The OpenAPI document of the default configuration; no database is opened for it. */
export async function createOpenApiDocument(): Promise<object> {
  const unopened = new Kysely<Database>({ dialect: sqliteDialect('') })
  const config = parseConfig({})
  const plugins = await loadPlugins(config.plugins)
  const app = await createApp(createContext(unopened, config, systemClock, silentLog, plugins))
  const document = app.swagger()
  await app.close()
  return document
}

export async function printOpenApi(): Promise<void> {
  printJson(await createOpenApiDocument())
}

import { Kysely } from 'kysely'
import { createApp } from '../app.ts'
import { loadConfig, parseConfig } from '../config.ts'
import { createSealer, keyBytes } from '../core/sealing.ts'
import { createContext } from '../create-context.ts'
import type { Database } from '../db/database.ts'
import { sqliteDialect } from '../db/sqlite/dialect.ts'
import { loadPlugins } from '../plugin-host/load.ts'
import { printJson } from './output.ts'

/** The OpenAPI document of the default configuration, with these plugins; no database is opened for it. */
export async function createOpenApiDocument(names: readonly string[] = parseConfig({}).plugins): Promise<object> {
  const unopened = new Kysely<Database>({ dialect: sqliteDialect('').dialect })
  const config = parseConfig({})
  const plugins = await loadPlugins(names)
  const sealer = createSealer(Buffer.alloc(keyBytes))
  const app = await createApp(createContext({ db: unopened, config, sealer, plugins }))
  const document = app.swagger()
  await app.close()
  return document
}

export async function printOpenApi(): Promise<void> {
  printJson(await createOpenApiDocument(loadConfig().plugins))
}

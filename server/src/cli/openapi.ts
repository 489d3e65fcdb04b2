import { Kysely } from 'kysely'
import { createApp, createContext } from '../app.ts'
import { parseConfig } from '../config.ts'
import type { Database } from '../db/database.ts'
import { sqliteDialect } from '../db/sqlite.ts'
import { printJson } from './output.ts'

/** The OpenAPI document of the default configuration; no database is opened for it. */
export async function createOpenApiDocument(): Promise<object> {
  const unopened = new Kysely<Database>({ dialect: sqliteDialect('').dialect })
  const app = await createApp(createContext(unopened, parseConfig({})))
  const document = app.swagger()
  await app.close()
  return document
}

export async function printOpenApi(): Promise<void> {
  printJson(await createOpenApiDocument())
}

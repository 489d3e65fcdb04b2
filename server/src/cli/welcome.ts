import { type Config, ConfigError } from '../config.ts'
import type { Context } from '../core/context.ts'
import { ServiceError } from '../core/errors.ts'
import type { RootDb } from '../db/database.ts'
import { checkFirstAdmin, createFirstAdmin, type FirstAdmin, lacksAdmin } from '../features/users/first-admin.ts'
import {
  describeFirstAdmin,
  firstStartFile,
  prepareFirstStartFolder,
  removeUsedFirstStartFile,
  writeFirstStartFile,
} from '../features/users/first-start-file.ts'
import { printLine } from './output.ts'

/** True if something is generated that must not be printed. */
const keepsFile = ({ printsSecrets, admin: { password, apiKey } }: Config): boolean =>
  !printsSecrets && (password === null || apiKey === null)

/**
 * Throws ConfigError if the first administrator cannot be created as the settings say. They are ignored if there is an
 * administrator already. `db` is undefined if the database does not exist yet.
 */
export async function checkFirstStart(db: RootDb | undefined, config: Config): Promise<void> {
  if (db !== undefined && !(await lacksAdmin(db))) return
  await checkFirstAdmin(config, config.admin).catch((error) => {
    throw adminFailure(error)
  })
  if (keepsFile(config)) prepareFirstStartFolder(config)
}

/** Creates the first administrator. What was generated is shown once, or kept in a file where output is stored or shared. */
export async function welcomeFirstAdmin(ctx: Context): Promise<void> {
  const { config } = ctx
  const keep = (admin: FirstAdmin) => {
    if (keepsFile(config)) writeFirstStartFile(config, admin)
  }
  const admin = await createFirstAdmin(ctx, config.admin, keep).catch((error) => {
    throw adminFailure(error)
  })
  if (admin === undefined) {
    await removeUsedFirstStartFile(ctx)
  } else if (keepsFile(config)) {
    const file = firstStartFile(config)
    printLine(`First start: the administrator's secrets are in ${file} until their first sign-in.`)
  } else {
    const told = 'First start: this administrator was created. Generated secrets are shown only once; save them.'
    printLine(['', told, ...describeFirstAdmin(admin), ''].join('\n'))
  }
}

/** The errors of the requested administrator, by the names of the settings. */
function adminFailure(error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.fields === undefined) return error
  const fields = Object.entries(error.fields)
  return new ConfigError(
    fields.map(([field, messages]) => `GATEHOUSE_ADMIN_${field.toUpperCase()}: ${messages.join(' ')}`).join(' '),
  )
}

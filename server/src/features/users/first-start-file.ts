import { accessSync, constants, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from '../../config.ts'
import type { Context } from '../../core/context.ts'
import { syncPath, writeNewFile } from '../../core/durable-file.ts'
import { createPrivateFolder } from '../../core/private-folder.ts'
import { adminRoleId } from '../roles/roles.table.ts'
import type { FirstAdmin } from './first-admin.ts'

export const firstStartFile = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'first-start.txt')

/** The first administrator and the generated secrets, as lines for the operator. */
export const describeFirstAdmin = ({ email, password, apiKey }: FirstAdmin): string[] => [
  `  email     ${email}`,
  `  password  ${password ?? '(as given in GATEHOUSE_ADMIN_PASSWORD)'}`,
  `  API key   ${apiKey ?? '(as given in GATEHOUSE_ADMIN_API_KEY)'}`,
]

/** Runs `work` with the path of the file of the first secrets; throws ConfigError if it fails. */
function orRefuse(config: Config, work: (path: string) => void): void {
  const path = firstStartFile(config)
  try {
    work(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      `GATEHOUSE_DATA_DIR: ${path} cannot be written (${code}). Name a folder that this user may write to.`,
    )
  }
}

/** Creates the folder of the file; throws ConfigError if the file could not be written there. */
export const prepareFirstStartFolder = (config: Config): void =>
  orRefuse(config, () => {
    createPrivateFolder(config.dataDir)
    accessSync(config.dataDir, constants.W_OK | constants.X_OK)
  })

/** Writes the generated secrets to a file that only this user can read; throws ConfigError where there is no place for it. */
export const writeFirstStartFile = (config: Config, admin: FirstAdmin): void =>
  orRefuse(config, (path) => {
    createPrivateFolder(config.dataDir)
    rmSync(path, { force: true }) // a file that is there would keep its own mode
    writeNewFile(path, `${describeFirstAdmin(admin).join('\n')}\n`)
    syncPath(config.dataDir)
  })

/** Removes the file once the administrator has signed in. Failing to do so is no reason to refuse the sign-in. */
export function removeFirstStartFile({ config, log }: Pick<Context, 'config' | 'log'>): void {
  const path = firstStartFile(config)
  try {
    rmSync(path, { force: true })
  } catch (error) {
    log.warn({ err: error, path }, 'the file with the first secrets could not be removed')
  }
}

/** Removes a file that is left because the administrator signed in on another node. */
export async function removeUsedFirstStartFile(ctx: Context): Promise<void> {
  if (!existsSync(firstStartFile(ctx.config))) return
  const signedIn = await ctx.db
    .selectFrom('users')
    .select('id')
    .where('role_id', '=', adminRoleId)
    .where('last_login', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (signedIn !== undefined) removeFirstStartFile(ctx)
}

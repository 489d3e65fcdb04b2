import { ConfigError } from '../config.ts'
import { describeLoss, findPlugins, getRemovable, removePlugin } from '../plugins/remove.ts'
import { withContext } from './open.ts'
import { printRows } from './output.ts'

/** Prints the plugins that are listed, and those that are not but have data. */
export async function listPluginsCommand({ json }: { json?: true }): Promise<void> {
  await withContext(async (ctx) => {
    printRows(await findPlugins(ctx), ['id', 'version', 'listed', 'source'], json === true)
  })
}

/** Removes the data of a plugin that is not listed any more. */
export async function removePluginCommand(name: string, { dropData }: { dropData?: true }): Promise<void> {
  await withContext(async (ctx) => {
    const row = await getRemovable(ctx, name)
    if (dropData !== true)
      throw new ConfigError(`this would delete for good: ${await describeLoss(ctx, row)}. Add --drop-data to do it.`)
    await removePlugin(ctx, row)
    process.stdout.write(`All data of ${row.id} is removed.\n`)
  })
}

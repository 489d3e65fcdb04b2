import { ConfigError } from '../config.ts'
import { type LoadedPlugin, loadPlugins } from '../plugin-host/load.ts'
import { describeLoss, findPlugins, getRemovable, removePlugin } from '../plugin-host/remove.ts'
import { withExisting } from './open.ts'
import { printLine, printRows } from './output.ts'

/** Prints the plugins that are listed, and unlisted ones that have data. */
export async function listPluginsCommand({ json }: { json?: true }): Promise<void> {
  await withExisting(async (ctx) => {
    const plugins = (await findPlugins(ctx)).map((plugin) => ({ ...plugin }))
    printRows(plugins, ['id', 'version', 'listed', 'source'], json === true)
  })
}

/** Removes the data of a plugin that is no longer listed. */
export async function removePluginCommand(name: string, { dropData }: { dropData?: true }): Promise<void> {
  await withExisting(async (ctx) => {
    const row = await getRemovable(ctx, name)
    if (dropData !== true)
      throw new ConfigError(`this would permanently delete: ${await describeLoss(ctx, row)}. Add --drop-data to do it.`)
    const [loaded] = await loadPlugins([row.source])
    await removePlugin(ctx, row, loaded as LoadedPlugin)
    printLine(`All data of ${row.id} is removed.`)
  })
}

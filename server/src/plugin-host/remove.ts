import { sql } from 'kysely'
import { ConfigError } from '../config.ts'
import { type Context, systemActor } from '../core/context.ts'
import type { ReadDb } from '../db/database.ts'
import type { LoadedPlugin } from './load.ts'
import { unmigratePlugin } from './migrations.ts'
import { removePermissions } from './permissions.ts'
import type { PluginRow } from './plugins.table.ts'

export interface PluginState {
  readonly id: string
  /** How it is or was last listed. */
  readonly source: string
  readonly version: string
  readonly listed: boolean
}

/** The listed plugins, and unlisted ones that have left data. */
export async function findPlugins(ctx: Context): Promise<PluginState[]> {
  const rows = await ctx.db.selectFrom('plugins').selectAll().orderBy('id').execute()
  return rows.map(({ id, source, version }) => ({ id, source, version, listed: ctx.plugins.ids.includes(id) }))
}

/** The named plugin, if it can be removed; throws ConfigError if it does not exist or is listed. */
export async function getRemovable(ctx: Context, name: string): Promise<PluginRow> {
  const rows = await ctx.db.selectFrom('plugins').selectAll().execute()
  const short = name.replace(/^@gatehouse\/plugin-/, '')
  const row = rows.find(({ id }) => id === short) ?? rows.find(({ source }) => source === short)
  if (row === undefined) throw new ConfigError(`there is nothing of a plugin "${name}" in the database.`)
  if (ctx.plugins.ids.includes(row.id))
    throw new ConfigError(
      `the plugin ${row.id} is listed. Take it out of GATEHOUSE_PLUGINS and restart the service first.`,
    )
  return row
}

const settingsOf = (db: ReadDb, id: string) =>
  db
    .selectFrom('settings')
    .select('name')
    .where(sql<boolean>`substr(name, 1, ${id.length + 1}) = ${`${id}.`}`)

/** What a removal would delete, in words. */
export async function describeLoss({ db }: Context, row: PluginRow): Promise<string> {
  const permissions = JSON.parse(row.permissions) as string[]
  const settings = await settingsOf(db, row.id).execute()
  return [
    'its tables with all that is in them',
    ...(permissions.length > 0 ? [`${permissions.join(', ')} and who holds it`] : []),
    ...(settings.length > 0 ? [settings.map(({ name }) => name).join(', ')] : []),
  ].join('; ')
}

/**
 * Removes everything that a plugin has in the database. Its row is deleted last, so that an interrupted removal can be
 * repeated. Its package is needed, because only it knows its tables.
 */
export async function removePlugin(ctx: Context, row: PluginRow, loaded: LoadedPlugin): Promise<void> {
  if (loaded.plugin.id !== row.id)
    throw new ConfigError(
      `${row.source} is another plugin now: ${loaded.plugin.id}. Install the one that made the data.`,
    )
  await unmigratePlugin(ctx.unguarded, loaded)
  await ctx.transaction(systemActor, async (tx) => {
    await removePermissions(tx.db, row)
    await tx.db.deleteFrom('settings').where('name', 'in', settingsOf(tx.db, row.id)).execute()
    await tx.db.deleteFrom('plugins').where('id', '=', row.id).execute()
  })
}

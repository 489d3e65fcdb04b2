import { randomBytes } from 'node:crypto'
import { type Context, systemActor } from '../core/context.ts'
import { systemClock, toTimestamp } from '../core/time.ts'
import type { Db, RootDb } from '../db/database.ts'
import { forUpdate } from '../db/dialect.ts'
import { inTransaction } from '../db/transaction.ts'
import type { LoadedPlugin } from './load.ts'
import { migratePlugin } from './migrations.ts'
import { lacksTexts, parkPermissions, syncPermissions } from './permissions.ts'
import type { PluginRow } from './plugins.table.ts'

/**
 * Prepares the database for the listed plugins: their tables, permissions and secrets. Parallel calls are safe. The data of
 * unlisted plugins stays unchanged.
 */
export async function installPlugins(db: RootDb, loaded: readonly LoadedPlugin[], clock = systemClock): Promise<void> {
  for (const plugin of loaded) await migratePlugin(db, plugin)
  const rows = await db.selectFrom('plugins').selectAll().execute()
  const areListed = loaded.every((plugin) => rows.some((row) => isAsListed(row, plugin)))
  const plugins = loaded.map(({ plugin }) => plugin)
  if (areListed && !(await lacksTexts(db, plugins))) return
  await inTransaction(db, async (transaction) => {
    for (const plugin of loaded) await settleListed(transaction, plugin, toTimestamp(clock()))
  })
}

/**
 * Removes the permissions of plugins that are no longer listed. Only a start of the service does this: a command that was
 * run without the list must not change the running service.
 */
export async function suspendUnlisted({ db, transaction, plugins }: Context): Promise<void> {
  const rows = await db.selectFrom('plugins').selectAll().execute()
  const away = rows.filter((row) => !plugins.ids.includes(row.id) && !isSuspended(row))
  if (away.length === 0) return
  await transaction(systemActor, async (tx) => {
    for (const { id } of away) {
      const row = await lockRow(tx.db, id)
      if (row !== undefined) await parkPermissions(tx.db, row)
    }
  })
}

const namesOf = ({ plugin }: LoadedPlugin): string => JSON.stringify((plugin.permissions ?? []).map(({ name }) => name))

const isAsListed = (row: PluginRow, loaded: LoadedPlugin): boolean =>
  row.id === loaded.plugin.id &&
  row.source === loaded.source &&
  row.version === loaded.version &&
  row.permissions === namesOf(loaded) &&
  row.parked === '[]'

const isSuspended = (row: PluginRow): boolean => row.permissions === '[]' || row.parked !== '[]'

const lockRow = (db: Db, id: string): Promise<PluginRow | undefined> =>
  forUpdate(db)(db.selectFrom('plugins').selectAll().where('id', '=', id)).executeTakeFirst()

async function settleListed(db: Db, { plugin, source, version }: LoadedPlugin, now: string): Promise<void> {
  const secret = randomBytes(32).toString('base64url')
  await db
    .insertInto('plugins')
    .values({ id: plugin.id, source, version, secret, permissions: '[]', parked: '[]', created_at: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ source, version }))
    .execute()
  await syncPermissions(db, source, plugin, (await lockRow(db, plugin.id)) as PluginRow, now)
}

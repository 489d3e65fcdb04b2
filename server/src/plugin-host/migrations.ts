import type { Migration, Plugin } from '@gatehouse/plugin-kit'
import { type Kysely, sql } from 'kysely'
import { type Migration as KyselyMigration, Migrator, NO_MIGRATIONS } from 'kysely/migration'
import type { RootDb } from '../db/database.ts'
import { isPostgres } from '../db/dialect.ts'
import { isUnavailable } from '../db/failures.ts'
import { withMigrationLock } from '../db/migration-lock.ts'
import { runPatiently } from '../db/run-migrations.ts'
import { snakeId } from './check.ts'
import type { LoadedPlugin } from './load.ts'
import { refusePlugin } from './refuse.ts'

const tablesOf = (id: string) => {
  const migrationTableName = `plugin_${snakeId(id)}_migration`
  return { migrationTableName, migrationLockTableName: `${migrationTableName}_lock` }
}

function toKysely({ up, down }: Migration): KyselyMigration {
  const tools = (db: Kysely<unknown>) => {
    const postgres = isPostgres(db)
    return {
      db,
      schema: db.schema,
      integer: postgres ? 'bigint' : 'integer',
      text: postgres ? sql`text collate "C"` : sql`text`,
      id: (column) =>
        postgres ? column.primaryKey().generatedByDefaultAsIdentity() : column.primaryKey().autoIncrement(),
      isPostgres: postgres,
    } satisfies Parameters<Migration['up']>[0]
  }
  /** Queries that nobody awaits would run after the migration's transaction, or end the process. */
  const run = (work: Migration['up']) => async (db: Kysely<unknown>) => {
    const done: unknown = work(tools(db))
    if (!(done instanceof Promise)) throw new Error('it returned no promise. Return or await what it does.')
    await done
  }
  return { up: run(up), down: run(down) }
}

function migratorOf(db: RootDb, { id, migrations = {} }: Plugin): Migrator {
  const own = Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, toKysely(migration)]))
  return new Migrator({
    db: db as unknown as Kysely<unknown>,
    provider: { getMigrations: async () => own },
    ...tablesOf(id),
  })
}

const hasTable = async (db: RootDb, table: string): Promise<boolean> => {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables.some(({ name }) => name === table)
}

async function refuseNewer(db: RootDb, { plugin, source }: LoadedPlugin): Promise<void> {
  const { migrationTableName } = tablesOf(plugin.id)
  if (!(await hasTable(db, migrationTableName))) return
  const { rows } = await sql<{ name: string }>`select name from ${sql.table(migrationTableName)} order by name`.execute(
    db,
  )
  const unknown = rows.find(({ name }) => !Object.hasOwn(plugin.migrations ?? {}, name))
  if (unknown === undefined) return
  refusePlugin(
    source,
    `its data was made by a newer version, with the migration ${unknown.name}. Install that version or a newer one.`,
  )
}

async function finish(loaded: LoadedPlugin, ran: ReturnType<Migrator['migrateToLatest']>): Promise<void> {
  const { error, results } = await ran
  if (error === undefined) return
  if (isUnavailable(error)) throw error
  const failed = results?.find(({ status }) => status === 'Error')?.migrationName
  const reason = error instanceof Error ? error.message : String(error)
  refusePlugin(loaded.source, `its ${failed === undefined ? 'migrations' : `migration ${failed}`} failed: ${reason}`)
}

/** Migrates the plugin's tables to this version. Several may call it at once: one runs, the others wait. */
export async function migratePlugin(db: RootDb, loaded: LoadedPlugin): Promise<void> {
  if (Object.keys(loaded.plugin.migrations ?? {}).length === 0) return
  await refuseNewer(db, loaded)
  const migrator = migratorOf(db, loaded.plugin)
  const isPending = (await migrator.getMigrations()).some(({ executedAt }) => executedAt === undefined)
  if (isPending)
    await withMigrationLock(db, () =>
      finish(
        loaded,
        runPatiently(() => migrator.migrateToLatest()),
      ),
    )
}

/** Makes the plugin's tables as the named migrations left them, which may be those of an older version. */
export async function migratePluginTo(
  db: RootDb,
  loaded: LoadedPlugin,
  migrations: Readonly<Record<string, readonly string[]>>,
): Promise<void> {
  const last = migrations[tablesOf(loaded.plugin.id).migrationTableName]?.at(-1)
  if (last !== undefined)
    await finish(
      loaded,
      runPatiently(() => migratorOf(db, loaded.plugin).migrateTo(last)),
    )
}

/** Reverts all of the plugin's migrations, last first. */
export async function unmigratePlugin(db: RootDb, loaded: LoadedPlugin): Promise<void> {
  await refuseNewer(db, loaded)
  const { migrationTableName, migrationLockTableName } = tablesOf(loaded.plugin.id)
  if (await hasTable(db, migrationTableName))
    await withMigrationLock(db, () =>
      finish(
        loaded,
        runPatiently(() => migratorOf(db, loaded.plugin).migrateTo(NO_MIGRATIONS)),
      ),
    )
  for (const table of [migrationTableName, migrationLockTableName])
    await db.schema.dropTable(table).ifExists().execute()
}

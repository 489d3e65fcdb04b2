import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { RootDb } from './database.ts'
import * as initial from './migrations/0001-initial.ts'
import * as accounts from './migrations/0002-accounts.ts'
import * as listIndexes from './migrations/0003-list-indexes.ts'
import * as credentialVersion from './migrations/0004-credential-version.ts'
import * as plugins from './migrations/0005-plugins.ts'
import * as mailToMany from './migrations/0006-mail-to-many.ts'
import * as addressForms from './migrations/0007-address-forms.ts'
import * as signInLimits from './migrations/0008-sign-in-limits.ts'
import * as installation from './migrations/0010-installation.ts'
import * as clients from './migrations/0011-clients.ts'
import type { Report } from './migrations/0011-search-texts.ts'
import * as searchTombstones from './migrations/0012-search-tombstones.ts'
import * as countSlots from './migrations/0013-count-slots.ts'
import * as factors from './migrations/0020-factors.ts'
import * as movingUsers from './migrations/0025-moving-users.ts'
import * as eventOrder from './migrations/0030-event-order.ts'
import * as eventsPermission from './migrations/0031-events-permission.ts'
import * as webhooks from './migrations/0032-webhooks.ts'
import * as nodes from './migrations/0038-nodes.ts'
import * as factorIndexes from './migrations/0043-factor-indexes.ts'

const migrationsWith = (report: Report): Record<string, Migration> => ({
  '0001-initial': initial as unknown as Migration,
  '0002-accounts': accounts as unknown as Migration,
  '0003-list-indexes': listIndexes as unknown as Migration,
  '0004-credential-version': credentialVersion as unknown as Migration,
  '0005-plugins': plugins as unknown as Migration,
  '0006-mail-to-many': mailToMany as unknown as Migration,
  '0007-address-forms': addressForms as unknown as Migration,
  '0008-sign-in-limits': signInLimits as unknown as Migration,
  '0010-installation': installation as unknown as Migration,
  '0011-clients': { up: (db) => clients.up(db as Kysely<never>, report) },
  '0012-search-tombstones': searchTombstones as unknown as Migration,
  '0013-count-slots': countSlots as unknown as Migration,
  '0020-factors': factors as unknown as Migration,
  '0025-moving-users': movingUsers as unknown as Migration,
  '0030-event-order': eventOrder as unknown as Migration,
  '0031-events-permission': eventsPermission as unknown as Migration,
  '0032-webhooks': webhooks as unknown as Migration,
  '0038-nodes': nodes as unknown as Migration,
  '0043-factor-indexes': factorIndexes as unknown as Migration,
})

/** The database was made by a newer program; running this one on it could destroy what it does not know. */
export class NewerDatabaseError extends Error {}

/** The names of the migrations that have run; none in an empty database. */
async function ranMigrations(db: RootDb): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

/** How the schema of a database differs from this program's; changes nothing. */
export async function compareMigrations(db: RootDb): Promise<{ known: number; pending: string[]; unknown: string[] }> {
  const names = Object.keys(migrationsWith(() => {}))
  const ran = await ranMigrations(db)
  return {
    known: names.length,
    pending: names.filter((name) => !ran.includes(name)),
    unknown: ran.filter((name) => !names.includes(name)),
  }
}

async function refuseNewer(db: RootDb): Promise<void> {
  const [unknown] = (await compareMigrations(db)).unknown
  if (unknown !== undefined)
    throw new NewerDatabaseError(`it has the migration ${unknown}, which this version does not know`)
}

/**
 * Brings the database to this program's schema; the names of what ran. Several may call it at once: one runs, the others wait.
 * `report` hears how far a long step is.
 */
export async function migrate(db: RootDb, report: Report = () => {}): Promise<string[]> {
  const migrations = migrationsWith(report)
  await refuseNewer(db)
  const migrator = new Migrator({ db: db as Kysely<unknown>, provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Brings an empty database to the schema that these migrations make, which may be that of an older version. */
export async function migrateTo(db: RootDb, names: readonly string[]): Promise<void> {
  const migrations = migrationsWith(() => {})
  const unknown = names.find((name) => !(name in migrations))
  if (unknown !== undefined)
    throw new NewerDatabaseError(`it has the migration ${unknown}, which this version does not know`)
  const last = names.at(-1)
  if (last === undefined) return
  const migrator = new Migrator({ db: db as Kysely<unknown>, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateTo(last)
  if (error !== undefined) throw error
}

/** A migration that this program knows, and when this database had it. */
export interface MigrationState {
  readonly name: string
  readonly executedAt: Date | null
}

/** All migrations of this program in their order. Changes nothing. */
export async function listMigrations(db: RootDb): Promise<MigrationState[]> {
  const migrations = migrationsWith(() => {})
  await refuseNewer(db)
  const migrator = new Migrator({ db: db as Kysely<unknown>, provider: { getMigrations: async () => migrations } })
  const known = await migrator.getMigrations()
  return known.map(({ name, executedAt }) => ({ name, executedAt: executedAt ?? null }))
}

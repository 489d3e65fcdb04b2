import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { RootDb } from './database.ts'
import { indexMigration } from './indexes.ts'
import { findCompatibility, noteCompatibility } from './installation.ts'
import { withMigrationLock } from './migration-lock.ts'
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
import * as jobSessions from './migrations/0044-job-sessions.ts'
import * as avatarRemovals from './migrations/0045-avatar-removals.ts'
import { waitingAccounts } from './migrations/0046-waiting-accounts.ts'
import * as permissionTexts from './migrations/0047-permission-texts.ts'
import { type Migrations, migratorOf, runBesideNodes, runUpTo } from './run-migrations.ts'

/** The migration that makes the table of values that exist once. */
export const installationMigration = '0010-installation'

const migrationsWith = (report: Report): Migrations => ({
  '0001-initial': initial as unknown as Migration,
  '0002-accounts': accounts as unknown as Migration,
  '0003-list-indexes': listIndexes as unknown as Migration,
  '0004-credential-version': credentialVersion as unknown as Migration,
  '0005-plugins': plugins as unknown as Migration,
  '0006-mail-to-many': mailToMany as unknown as Migration,
  '0007-address-forms': addressForms as unknown as Migration,
  '0008-sign-in-limits': signInLimits as unknown as Migration,
  [installationMigration]: installation as unknown as Migration,
  '0011-clients': { up: (db) => clients.up(db as Kysely<never>, report) },
  '0012-search-tombstones': searchTombstones as unknown as Migration,
  '0013-count-slots': countSlots as unknown as Migration,
  '0020-factors': factors as unknown as Migration,
  '0025-moving-users': movingUsers as unknown as Migration,
  '0030-event-order': eventOrder as unknown as Migration,
  '0031-events-permission': eventsPermission as unknown as Migration,
  '0032-webhooks': webhooks as unknown as Migration,
  '0038-nodes': nodes as unknown as Migration,
  '0043-factor-indexes': indexMigration(factorIndexes.indexes),
  '0044-job-sessions': jobSessions as unknown as Migration,
  '0045-avatar-removals': avatarRemovals as unknown as Migration,
  '0046-waiting-accounts': waitingAccounts,
  '0047-permission-texts': permissionTexts as unknown as Migration,
})

/**
 * Programs whose last migration is this one run on today's schema: what came after it only added things that they need not know
 * about. A migration that takes something away, or wants something of every writer, moves this to the last migration of the
 * release before its own, which must not depend on it any more. `older-version.test.ts` runs an older program beside this one.
 */
const runsSince = '0032-webhooks'

/** The database was made by a newer program; running this one on it could destroy what it does not know. */
export class NewerDatabaseError extends Error {}

interface Executed {
  readonly name: string
  readonly timestamp: string
}

/** The migrations that have run; none in an empty database. */
async function ranMigrations(db: RootDb): Promise<Executed[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  return (await sql<Executed>`select name, timestamp from kysely_migration order by name`.execute(db)).rows
}

/** How the schema of a database differs from this program's. */
export interface SchemaState {
  readonly known: number
  readonly pending: readonly string[]
  readonly unknown: readonly string[]
  /** The oldest last migration of programs that run on it, as the newest program has noted; undefined if none has. */
  readonly runsSince: string | undefined
  /** False if a newer program has changed it so that this one must not run on it. */
  readonly isUsable: boolean
}

/** Changes nothing. */
export async function compareMigrations(db: RootDb): Promise<SchemaState> {
  const names = Object.keys(migrationsWith(() => {}))
  const ran = (await ranMigrations(db)).map(({ name }) => name)
  const pending = names.filter((name) => !ran.includes(name))
  const unknown = ran.filter((name) => !names.includes(name))
  const noted = ran.includes(installationMigration) ? await findCompatibility(db) : undefined
  const isNoted = noted !== undefined && unknown.every((name) => name <= noted.upTo)
  const isBeside = pending.length === 0 && isNoted && names.includes(noted.runsSince)
  return {
    known: names.length,
    pending,
    unknown,
    runsSince: noted?.runsSince,
    isUsable: unknown.length === 0 || isBeside,
  }
}

/** Throws NewerDatabaseError if this program must not run on the database. Changes nothing. */
export async function assertUsable(db: RootDb): Promise<SchemaState> {
  const state = await compareMigrations(db)
  if (!state.isUsable)
    throw new NewerDatabaseError(`it has the migration ${state.unknown[0]}, which this version does not know`)
  return state
}

/**
 * Brings the database to this program's schema; the names of what ran. Several may call it at once: one runs, the others wait.
 * A newer schema on which this program may run stays as it is.
 * `report` is called with the progress of a long step, `onWait` if another node takes long.
 */
export async function migrate(db: RootDb, report: Report = () => {}, onWait = () => {}): Promise<readonly string[]> {
  if ((await assertUsable(db)).pending.length === 0) return []
  return withMigrationLock(
    db,
    async () => {
      const migrations = migrationsWith(report)
      const { pending, known } = await assertUsable(db)
      const last = pending.at(-1)
      if (last === undefined) return []
      // Before anything changes, so that an older program is not started meanwhile; there is no place for it before the first.
      if (!pending.includes(installationMigration)) await noteCompatibility(db, { runsSince, upTo: last })
      if (pending.length === known) await runUpTo(migratorOf(db, migrations), last)
      else await runBesideNodes(db, migrations, pending)
      await noteCompatibility(db, { runsSince, upTo: last })
      return pending
    },
    onWait,
  )
}

/** Brings an empty database to the schema that these migrations make, which may be that of an older version. */
export async function migrateTo(db: RootDb, names: readonly string[]): Promise<void> {
  const migrations = migrationsWith(() => {})
  const unknown = names.find((name) => !(name in migrations))
  if (unknown !== undefined)
    throw new NewerDatabaseError(`it has the migration ${unknown}, which this version does not know`)
  const last = names.at(-1)
  if (last !== undefined) await runUpTo(migratorOf(db, migrations), last)
}

/** A migration, and when this database had it. */
export interface MigrationState {
  readonly name: string
  readonly executedAt: Date | null
  /** False for one of a newer program. */
  readonly isKnown: boolean
}

/** All migrations of this program and of the database, in their order. Changes nothing. */
export async function listMigrations(db: RootDb): Promise<MigrationState[]> {
  await assertUsable(db)
  const ran = new Map((await ranMigrations(db)).map(({ name, timestamp }) => [name, new Date(timestamp)]))
  const known = Object.keys(migrationsWith(() => {}))
  return [...new Set([...known, ...ran.keys()])]
    .sort()
    .map((name) => ({ name, executedAt: ran.get(name) ?? null, isKnown: known.includes(name) }))
}

import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, type MigrationResultSet, Migrator } from 'kysely/migration'
import type { RootDb } from './database.ts'
import { isPostgres } from './dialect.ts'
import { findApart } from './direct.ts'
import { isCollision } from './failures.ts'
import type { Indexes, IndexMigration } from './indexes.ts'
import { buildIndexes } from './postgres/concurrent-indexes.ts'

export type Migrations = Readonly<Record<string, Migration>>

/** How long a change of a table waits for its lock: everybody else waits behind it. Then it is tried again. */
const lockTimeoutMs = 2_000
const triesForLock = 60
const betweenTriesMs = 1_000

const indexesOf = (migration: Migration | undefined): Indexes | undefined =>
  (migration as Partial<IndexMigration> | undefined)?.indexes

/** The migration on PostgreSQL, where a transaction has limits of time otherwise. */
const withoutLimit = ({ up }: Migration): Migration => ({
  up: async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    await sql.raw(`set local lock_timeout = ${lockTimeoutMs}`).execute(db)
    await up(db)
  },
})

export function migratorOf(db: RootDb, migrations: Migrations): Migrator {
  const adapted = isPostgres(db)
    ? Object.fromEntries(Object.entries(migrations).map(([name, migration]) => [name, withoutLimit(migration)]))
    : { ...migrations }
  return new Migrator({ db: db as Kysely<unknown>, provider: { getMigrations: async () => adapted } })
}

/** Runs migrations, again and again while others are in their way. */
export async function runPatiently(run: () => Promise<MigrationResultSet>): Promise<MigrationResultSet> {
  for (let tries = 1; ; tries++) {
    const outcome = await run()
    if (!isCollision(outcome.error) || tries === triesForLock) return outcome
    await pause(betweenTriesMs)
  }
}

/** Runs all migrations up to this one, in one transaction. */
export async function runUpTo(migrator: Migrator, name: string): Promise<void> {
  const { error } = await runPatiently(() => migrator.migrateTo(name))
  if (error !== undefined) throw error
}

/** Runs pending migrations of a database that nodes may be using. Indexes on PostgreSQL are built outside of transactions. */
export async function runBesideNodes(db: RootDb, migrations: Migrations, pending: readonly string[]): Promise<void> {
  const migrator = migratorOf(db, migrations)
  const openApart = findApart(db)
  for (const [at, name] of pending.entries()) {
    const indexes = openApart && indexesOf(migrations[name])
    const next = pending[at + 1]
    const isLastOfTransaction = next === undefined || (openApart && indexesOf(migrations[next])) !== undefined
    if (indexes !== undefined) {
      const apart = await (openApart as NonNullable<typeof openApart>)()
      await buildIndexes(apart, indexes).finally(apart.end)
    }
    if (indexes !== undefined || isLastOfTransaction) await runUpTo(migrator, name)
  }
}

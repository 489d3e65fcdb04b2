import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Indexes by name, each with what follows its name: `on users (id)`. */
export type Indexes = Readonly<Record<string, string>>

/**
 * A migration that does nothing but make indexes. On PostgreSQL they are built before it runs, `concurrently`, so that nodes go
 * on writing; then it only notes that they are there.
 */
export interface IndexMigration extends Migration {
  readonly indexes: Indexes
}

export const indexMigration = (indexes: Indexes): IndexMigration => ({
  indexes,
  up: async (db: Kysely<unknown>) => {
    for (const [name, definition] of Object.entries(indexes))
      await sql.raw(`create index if not exists ${name} ${definition}`).execute(db)
  },
})

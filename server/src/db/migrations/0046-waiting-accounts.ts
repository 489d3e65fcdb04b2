import { sql } from 'kysely'
import { type Indexes, type IndexMigration, indexMigration } from '../indexes.ts'

/**
 * Accounts that wait for a confirmation, the oldest first. It begins with the status because registration without confirmation
 * leaves the time in every active account, and because SQLite reads all unconfirmed users by an index of the status otherwise.
 */
const indexes: Indexes = {
  users_waiting: 'on users (status, unconfirmed_since) where unconfirmed_since is not null',
}

export const waitingAccounts: IndexMigration = {
  indexes,
  up: async (db) => {
    await indexMigration(indexes).up(db)
    await sql`drop index if exists users_unconfirmed_since`.execute(db)
  },
}

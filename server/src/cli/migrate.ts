import { withContext } from './open.ts'

/** Migrates the database to this program's schema; `start` does the same. */
export async function migrateCommand(): Promise<void> {
  await withContext(async () => {
    process.stdout.write('The database is up to date.\n')
  })
}

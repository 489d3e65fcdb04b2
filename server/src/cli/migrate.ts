import { loadConfig } from '../config.ts'
import { listMigrations, type MigrationState } from '../db/migrate.ts'
import { withContext, withDatabase } from './open.ts'

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const inWords = ({ name, executedAt }: MigrationState): string =>
  `${name.padEnd(28)} ${executedAt === null ? 'waits' : `done ${executedAt.toISOString().slice(0, 19).replace('T', ' ')}`}`

/** Migrates the database to this program's schema; `start` does the same. With an option it only says what is done, or would be. */
export async function migrateCommand({ status, dryRun }: { status?: true; dryRun?: true } = {}): Promise<void> {
  if (status !== true && dryRun !== true) {
    await withContext(async () => print('The database is up to date.'))
    return
  }
  const states = await withDatabase(loadConfig(), listMigrations)
  const waiting = states.filter(({ executedAt }) => executedAt === null)
  for (const state of status === true ? states : waiting) print(inWords(state))
  print(
    waiting.length === 0 ? 'The database is up to date.' : `${waiting.length} migrations wait. Nothing was changed.`,
  )
}

import { loadConfig } from '../config.ts'
import { compareMigrations, listMigrations, type MigrationState } from '../db/migrate.ts'
import { withContext, withDatabase } from './open.ts'

const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const inWords = ({ name, executedAt, isKnown }: MigrationState): string => {
  if (executedAt === null) return `${name.padEnd(28)} waits`
  const when = executedAt.toISOString().slice(0, 19).replace('T', ' ')
  return `${name.padEnd(28)} done ${when}${isKnown ? '' : ', by a newer version'}`
}

/** Migrates the database to this program's schema; `start` does the same. With an option it only says what is done, or would be. */
export async function migrateCommand({ status, dryRun }: { status?: true; dryRun?: true } = {}): Promise<void> {
  if (status !== true && dryRun !== true) {
    await withContext(async () => print('The database is up to date.'))
    return
  }
  const [states, schema] = await withDatabase(
    loadConfig(),
    async (db) => [await listMigrations(db), await compareMigrations(db)] as const,
  )
  const waiting = states.filter(({ executedAt }) => executedAt === null)
  for (const state of status === true ? states : waiting) print(inWords(state))
  if (status === true && schema.runsSince !== undefined)
    print(`Versions that know ${schema.runsSince} run on this schema.`)
  print(
    waiting.length === 0 ? 'The database is up to date.' : `${waiting.length} migrations wait. Nothing was changed.`,
  )
}

import { loadConfig } from '../config.ts'
import { toTimestamp } from '../core/time.ts'
import { compareMigrations, listMigrations, type MigrationState } from '../db/migrate.ts'
import { withContext, withDatabase } from './open.ts'
import { counted, printLine } from './output.ts'

const inWords = ({ name, executedAt, isKnown }: MigrationState): string => {
  if (executedAt === null) return `${name.padEnd(28)} waits`
  return `${name.padEnd(28)} done ${toTimestamp(executedAt)}${isKnown ? '' : ', by a newer version'}`
}

/** Migrates the database to this program's schema; `start` does the same. With an option it only says what is done, or would be. */
export async function migrateCommand({ status, dryRun }: { status?: true; dryRun?: true } = {}): Promise<void> {
  if (status !== true && dryRun !== true) {
    await withContext(async () => printLine('The database is up to date.'))
    return
  }
  const [states, schema] = await withDatabase(
    loadConfig(),
    async (db) => [await listMigrations(db), await compareMigrations(db)] as const,
  )
  const waiting = states.filter(({ executedAt }) => executedAt === null)
  for (const state of status === true ? states : waiting) printLine(inWords(state))
  if (status === true && schema.runsSince !== undefined)
    printLine(`Versions that know ${schema.runsSince} run on this schema.`)
  printLine(
    waiting.length === 0
      ? 'The database is up to date.'
      : `${counted(waiting.length, 'migration waits', 'migrations wait')}. Nothing was changed.`,
  )
}

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ArchiveError, type Header, type Manifest } from '../backup/archive.ts'
import { readArchive } from '../backup/archive-read.ts'
import { createBackup, unfinishedParts } from '../backup/create.ts'
import { moveDatabase } from '../backup/move.ts'
import { restoreBackup } from '../backup/restore.ts'
import { readSecrets } from '../backup/secrets.ts'
import { placeOf } from '../backup/target.ts'
import { ConfigError, loadConfig } from '../config.ts'
import { parseDatabaseUrl } from '../config-values.ts'
import type { Context } from '../core/context.ts'
import type { DatabaseAddress } from '../db/open.ts'
import { loadPlugins } from '../plugin-host/load.ts'
import { withExisting } from './open.ts'
import { counted, printLine } from './output.ts'
import { createProgress } from './progress.ts'
import { removeIfStopped } from './signals.ts'

interface PassphraseOption {
  passphraseFile?: string
}

const say = (line: string): void => {
  process.stderr.write(`${line}\n`)
}

function readPassphrase({ passphraseFile: path }: PassphraseOption): string | undefined {
  if (path === undefined) return undefined
  let text: string
  try {
    text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError(`--passphrase-file: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  if (text === '') throw new ConfigError(`--passphrase-file: ${path} is empty.`)
  return text
}

/** A bar for each step. */
function createBars(): { onStep: (step: string) => void; onProgress: (done: number, total: number) => void } {
  let show: ((done: number) => void) | undefined
  return {
    onStep: (step) => {
      say(step)
      show = undefined
    },
    onProgress: (done, total) => {
      show ??= createProgress(process.stderr, total)
      show(done)
    },
  }
}

const inWords = ({ tables, avatars }: Manifest): string => {
  const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0)
  const missing = avatars.missing === 0 ? '' : ` (${counted(avatars.missing, 'was', 'were')} not in the storage)`
  const users = counted(tables.users?.rows ?? 0, 'user')
  return `${rows} rows in ${Object.keys(tables).length} tables, ${users}, ${counted(avatars.files, 'picture')}${missing}`
}

/** Writes a backup while the service runs. */
export async function createBackupCommand(file: string, options: PassphraseOption & { force?: true }): Promise<void> {
  if (file === '-') throw new ConfigError('a backup cannot be written to standard output. Name a file.')
  const config = loadConfig()
  const passphrase = readPassphrase(options)
  const { onProgress } = createBars()
  const path = resolve(file)
  const create = (ctx: Context) =>
    createBackup(ctx, path, { force: options.force === true, passphrase, secrets: readSecrets(config), onProgress })
  // A partial copy of an SQLite database can be as large as the database, so a stopped backup leaves none.
  const manifest = await removeIfStopped(unfinishedParts(path), () => withExisting(create, config))
  printLine(
    `${file} holds ${inWords(manifest)}. ${passphrase === undefined ? 'It holds secrets and is not encrypted.' : 'It is encrypted.'}`,
  )
}

/** The first bytes of a backup are read twice, which a pipe does not allow. */
function refuseStandardInput(file: string): void {
  if (file === '-') throw new ConfigError('a backup cannot be read from standard input. Name a file.')
}

/** Reads a whole backup and compares it with its own sums. Needs no configuration. */
export async function verifyBackupCommand(file: string, options: PassphraseOption): Promise<void> {
  refuseStandardInput(file)
  const { onProgress } = createBars()
  let done = 0
  let total = 0
  const drain = async (_: unknown, chunks: AsyncIterable<Buffer>) => {
    for await (const _chunk of chunks);
  }
  try {
    const { header, manifest } = await readArchive(file, readPassphrase(options), {
      header: async ({ tables }: Header) => {
        total = tables.reduce((sum, { rows }) => sum + rows, 0)
      },
      rows: drain,
      avatar: async () => {},
      secret: async () => {},
      onRows: (rows) => {
        done += rows
        onProgress(done, total)
      },
    })
    printLine(
      `${file} is whole: ${inWords(manifest)}. Made by version ${header.version} from ${header.engine} at ${header.created_at}.`,
    )
  } catch (error) {
    if (error instanceof ArchiveError) throw new ConfigError(`${file}: ${error.message}.`)
    throw error
  }
}

/** Restores a backup into the configured places, which must be empty. */
export async function restoreCommand(file: string, options: PassphraseOption & { endSessions?: true }): Promise<void> {
  refuseStandardInput(file)
  const config = loadConfig()
  const { manifest, held, endedJobs, endedSessions } = await restoreBackup(config, file, {
    passphrase: readPassphrase(options),
    endSessions: options.endSessions === true,
    plugins: await loadPlugins(config.plugins),
    ...createBars(),
  })
  printLine(`Restored into ${placeOf(config.database)}: ${inWords(manifest)}. Every row was compared.`)
  if (options.endSessions) printLine(`${counted(endedSessions, 'session was', 'sessions were')} ended.`)
  if (endedJobs > 0) {
    const jobs = counted(endedJobs, 'job was', 'jobs were')
    printLine(`${jobs} under way. What was done stays; the rest is not done.`)
  }
  printLine(`${counted(held, 'message')} and all webhooks are held: \`gatehouse deliveries release\` lets them go.`)
}

function parseTarget(to: string): DatabaseAddress {
  try {
    return parseDatabaseUrl(to)
  } catch (error) {
    throw new ConfigError((error as Error).message.replace('GATEHOUSE_DATABASE_URL', '--to'))
  }
}

/** Copies the configured database, which no node uses, into an empty one. */
export async function moveCommand({ to }: { to: string }): Promise<void> {
  const config = loadConfig()
  const target = parseTarget(to)
  const sums = await moveDatabase(config.database, target, {
    plugins: await loadPlugins(config.plugins),
    ...createBars(),
  })
  const rows = Object.values(sums).reduce((sum, table) => sum + table.rows, 0)
  printLine(`${rows} rows of ${Object.keys(sums).length} tables were copied to ${placeOf(target)} and compared.`)
  printLine(
    'Now set GATEHOUSE_DATABASE_URL to it and start. The data folder stays where it is; the old database is as it was.',
  )
}

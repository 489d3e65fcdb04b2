import type { Config } from '../config.ts'
import { ConfigError } from '../config.ts'
import { storageId } from '../db/installation.ts'
import { isAvatarFile } from '../features/avatar-files/avatar-url.ts'
import { openStorage } from '../features/avatar-files/storage.ts'
import { jobErrors } from '../features/jobs/jobs.errors.ts'
import { heldBodies, heldDueMs, webhookHolder } from '../outbox/held.ts'
import type { LoadedPlugin } from '../plugin-host/load.ts'
import { ArchiveError, type Header, type Manifest } from './archive.ts'
import { readArchive } from './archive-read.ts'
import { assertEmptyFolder } from './data-folder.ts'
import { compare } from './fill.ts'
import { restoreSecret } from './secrets.ts'
import { assertEmpty, assertSameTables, openTarget, type Target } from './target.ts'

export interface RestoreOptions {
  readonly passphrase: string | undefined
  readonly endSessions: boolean
  readonly plugins: readonly LoadedPlugin[]
  readonly onStep: (step: string) => void
  readonly onProgress: (done: number, total: number) => void
}

export interface Restored {
  readonly header: Header
  readonly manifest: Manifest
  readonly held: number
  readonly endedJobs: number
  readonly endedSessions: number
}

const totalOf = ({ tables }: Header): number => tables.reduce((sum, { rows }) => sum + rows, 0)

/** Nothing that waited goes out twice because of a copy: it waits until `deliveries release`. */
async function holdDeliveries(target: Target, tables: ReadonlySet<string>): Promise<number> {
  const held = await target.run(
    `update deliveries set status = 'queued', due_ms = ${heldDueMs} where status in ('queued', 'sending')`,
  )
  if (tables.has('webhook_queues'))
    await target.run(`update webhook_queues set holder = '${webhookHolder}', lease_until_ms = ${heldDueMs}`)
  await target.run(`delete from installation where name = '${heldBodies}'`)
  await target.run(
    `insert into installation (name, value) select '${heldBodies}', cast(coalesce(max(id), 0) as text) from delivery_bodies`,
  )
  return held
}

/** Jobs that were under way go on in the original. The first start of the copy ends them. */
const endJobs = (target: Target): Promise<number> =>
  target.run(`update jobs set message = '${jobErrors.job_restored().message}' where status in ('queued', 'running')`)

/**
 * Restores an archive into an empty database and data folder. A kill leaves the database marked as unfinished; the same call
 * begins again, with what it left in the data folder. Throws ArchiveError for a damaged archive, ConfigError where the place is not empty.
 */
export async function restoreBackup(config: Config, path: string, options: RestoreOptions): Promise<Restored> {
  const { passphrase, plugins, onStep, onProgress } = options
  const command = `restore ${path}`
  const mark = await assertEmpty(config.database)
  if (mark?.command !== command) assertEmptyFolder(config, mark)
  const storage = openStorage(config.storage)
  let target: Target | undefined
  let done = 0
  let total = 0
  const onRows = (rows: number) => {
    done += rows
    onProgress(done, total)
  }
  const opened = (): Target => {
    if (target === undefined) throw new ArchiveError('it has rows before its header')
    return target
  }
  try {
    const { header, manifest } = await readArchive(path, passphrase, {
      header: async (read) => {
        target = await openTarget(config.database, command, read.migrations, plugins)
        await assertSameTables(read.tables, target)
        total = totalOf(read)
        onStep('Loading the rows')
        await target.begin()
      },
      rows: (table, chunks) => opened().load(table, chunks),
      avatar: async (name, content) => {
        if (!isAvatarFile(name)) throw new ArchiveError(`it has an avatar with an unknown name`)
        await storage.put(name, content)
      },
      secret: async (name, content) => restoreSecret(config, name, content.toString()),
      onRows,
    })
    const filled = opened()
    onStep('Building the indexes')
    await filled.finish(manifest.sequences)
    onStep('Comparing every row')
    done = 0
    await compare(filled, header.tables, manifest, onRows)
    const tables = new Set(header.tables.map(({ name }) => name))
    const held = await holdDeliveries(filled, tables)
    const endedJobs = tables.has('jobs') ? await endJobs(filled) : 0
    // The next start takes the folder that the pictures were restored into.
    await filled.run(`delete from installation where name = '${storageId}'`)
    const endedSessions = options.endSessions ? await filled.run('delete from sessions') : 0
    await filled.complete()
    return { header, manifest, held, endedJobs, endedSessions }
  } catch (error) {
    await target?.close().catch(() => {})
    if (error instanceof ArchiveError) throw new ConfigError(`${path}: ${error.message}.`)
    throw error
  }
}

import { createHash } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { getSystemErrorMessage } from 'node:util'
import { ConfigError } from '../config.ts'
import { type Context, systemActor } from '../core/context.ts'
import { recordActivity } from '../features/activity/activity.service.ts'
import { avatarFile, avatarSizes } from '../features/avatar-files/avatar-url.ts'
import { storageOf } from '../features/avatar-files/stored-avatars.ts'
import { version } from '../version.ts'
import { format, type Header, type Manifest, names } from './archive.ts'
import { type ArchiveWriter, partialOf, writeArchive } from './archive-write.ts'
import { keepPictures } from './keep-pictures.ts'
import type { Secrets } from './secrets.ts'
import { avatarKeys, createMeter, type Snapshot, type TableSum } from './snapshot.ts'
import { openSnapshot } from './source.ts'

/** Called with the progress of the work, in rows. */
export type OnProgress = (done: number, total: number) => void

export interface BackupOptions {
  readonly force: boolean
  readonly passphrase: string | undefined
  readonly secrets: Secrets
  readonly onProgress: OnProgress
}

async function headerOf(snapshot: Snapshot, engine: Header['engine']): Promise<Header> {
  const tables: Header['tables'][number][] = []
  for (const table of await snapshot.tables()) tables.push({ ...table, rows: await snapshot.count(table.name) })
  const created_at = new Date().toISOString()
  return { format, version, created_at, engine, migrations: await snapshot.migrations(), tables }
}

async function addAvatars(ctx: Context, snapshot: Snapshot, archive: ArchiveWriter): Promise<Manifest['avatars']> {
  const storage = storageOf(ctx)
  const sums = createHash('sha256')
  let files = 0
  let missing = 0
  for await (const key of avatarKeys(snapshot)) {
    for (const size of avatarSizes) {
      const name = avatarFile(key, size)
      const found = await storage.get(name)
      if (found === undefined) {
        missing++
        continue
      }
      const content = Buffer.concat(await found.stream.toArray())
      sums.update(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`)
      files++
      await archive.add(`avatars/${name}`, content)
    }
  }
  return { files, sha256: sums.digest('hex'), missing }
}

const copyOf = (path: string): string => `${path}.snapshot`

/** What lies beside a backup while it is made. */
export const unfinishedParts = (path: string): string[] => [partialOf(path), copyOf(path), `${copyOf(path)}-journal`]

/** Makes a file and removes it: SQLite would only say that it is unable to open one, and not where. */
function assertTakesFiles(folder: string, file: string): void {
  try {
    rmSync(file, { force: true })
    closeSync(openSync(file, 'wx', 0o600))
    rmSync(file)
  } catch (error) {
    const { errno, message } = error as NodeJS.ErrnoException
    const reason = errno === undefined ? message : getSystemErrorMessage(errno)
    throw new ConfigError(`${folder}: no file can be created here: ${reason}.`)
  }
}

function assertPlace(path: string, force: boolean): void {
  const folder = dirname(path)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new ConfigError(`${folder} is no folder.`)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found !== undefined && !force)
    throw new ConfigError(`${path} is there already. Name another file, or give --force.`)
  if (found?.isFile() === false) throw new ConfigError(`${path} is not a file.`)
  assertTakesFiles(folder, partialOf(path))
}

/** Writes database, avatars and secrets into one file, from one state of the database, while the service runs. */
export async function createBackup(ctx: Context, path: string, options: BackupOptions): Promise<Manifest> {
  const { force, passphrase, secrets, onProgress } = options
  assertPlace(path, force)
  const { database } = ctx.config
  const endKeeping = await keepPictures(ctx)
  try {
    const snapshot = await openSnapshot(database, copyOf(path))
    try {
      let manifest: Manifest | undefined
      await writeArchive(path, passphrase, async (archive) => {
        const header = await headerOf(snapshot, database.kind)
        await archive.add(names.header, Buffer.from(JSON.stringify(header, null, 2)))
        const total = header.tables.reduce((sum, { rows }) => sum + rows, 0)
        let done = 0
        const tables: Record<string, TableSum> = {}
        for (const table of header.tables) {
          const { measure, sum } = createMeter((rows) => {
            done += rows
            onProgress(done, total)
          })
          await archive.addRows(table.name, measure(snapshot.rows(table)))
          tables[table.name] = sum()
        }
        const avatars = await addAvatars(ctx, snapshot, archive)
        const sums: Record<string, string> = {}
        for (const [name, content] of Object.entries(secrets)) {
          sums[name] = createHash('sha256').update(content).digest('hex')
          await archive.add(`secrets/${name}`, Buffer.from(content))
        }
        manifest = { tables, sequences: await snapshot.sequences(), avatars, secrets: sums }
        await archive.add(names.manifest, Buffer.from(JSON.stringify(manifest, null, 2)))
      })
      const details = { users: manifest?.tables.users?.rows ?? 0, encrypted: passphrase !== undefined }
      await ctx.transaction(systemActor, (tx) =>
        recordActivity(tx, tx.actor, 'backup.created', { type: 'backup', id: null }, details),
      )
      return manifest as Manifest
    } finally {
      await snapshot.close()
    }
  } finally {
    await endKeeping()
  }
}

import { randomUUID } from 'node:crypto'
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { syncPath } from '../../core/durable-file.ts'
import { createPrivateFolder } from '../../core/private-folder.ts'
import { dayMs } from '../../core/time.ts'
import { isWaiting } from './jobs.table.ts'

/*
 * A file that a job reads later, and again after a kill. On SQLite it lies beside the database; on PostgreSQL, where nodes may
 * share nothing else, in the database.
 */

/** The size of the parts in which PostgreSQL keeps an upload. */
export const partBytes = 512 * 1024

type Surroundings = Pick<Context, 'config' | 'unguarded' | 'clock'>

/** A file that is being received. */
export interface Upload {
  readonly name: string
  readonly write: (bytes: Buffer) => Promise<void>
  /** After it, the whole file is on disk. */
  readonly finish: () => Promise<void>
  readonly discard: () => Promise<void>
}

const pathOf = ({ config }: Pick<Context, 'config'>, name: string): string | undefined =>
  config.database.kind === 'sqlite' ? join(`${config.database.path}-uploads`, name) : undefined

export async function createUpload(ctx: Surroundings): Promise<Upload> {
  const name = randomUUID()
  const path = pathOf(ctx, name)
  return path === undefined ? inDatabase(ctx, name) : inFile(name, path)
}

async function inFile(name: string, path: string): Promise<Upload> {
  createPrivateFolder(dirname(path))
  const file = await open(path, 'wx', 0o600)
  return {
    name,
    // Not `write`, which may write a part of it on a full disk, and say so only in its result.
    write: (bytes) => file.appendFile(bytes),
    finish: async () => {
      await file.sync()
      await file.close()
      syncPath(dirname(path))
    },
    discard: async () => {
      await file.close().catch(() => {})
      await rm(path, { force: true })
    },
  }
}

function inDatabase({ unguarded: db, clock }: Surroundings, name: string): Upload {
  let part = 0
  let pieces: Buffer[] = []
  let waiting = 0
  const store = async (bytes: Buffer) => {
    await db.insertInto('uploads').values({ name, part: part++, bytes, created_ms: clock().getTime() }).execute()
  }
  return {
    name,
    write: async (bytes) => {
      pieces.push(bytes)
      waiting += bytes.length
      if (waiting < partBytes) return
      const all = Buffer.concat(pieces)
      let at = 0
      for (; at + partBytes <= all.length; at += partBytes) await store(all.subarray(at, at + partBytes))
      pieces = [all.subarray(at)]
      waiting = all.length - at
    },
    finish: () => store(Buffer.concat(pieces)),
    discard: async () => {
      await db.deleteFrom('uploads').where('name', '=', name).execute()
    },
  }
}

/** Reads up to `length` bytes of a file from an offset; fewer at its end. */
export async function readUpload(ctx: Surroundings, name: string, from: number, length: number): Promise<Buffer> {
  const path = pathOf(ctx, name)
  if (path !== undefined) return readFile(path, from, length)
  const to = from + length
  const before = sql`part * cast(${partBytes} as bigint)`
  const start = sql`greatest(${from} - ${before}, 0)`
  const end = sql`least(${to} - ${before}, ${partBytes})`
  const { rows } = await sql<{ bytes: Buffer }>`
    select substring(bytes from cast(${start} + 1 as integer) for cast(${end} - ${start} as integer)) as bytes from uploads
    where name = ${name} and part between ${Math.floor(from / partBytes)} and ${Math.floor((to - 1) / partBytes)}
    order by part`.execute(ctx.unguarded)
  return Buffer.concat(rows.map(({ bytes }) => bytes))
}

async function readFile(path: string, from: number, length: number): Promise<Buffer> {
  let file: FileHandle | undefined
  try {
    file = await open(path)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file?.close()
  }
}

export async function removeUpload(ctx: Surroundings, name: string): Promise<void> {
  const path = pathOf(ctx, name)
  if (path === undefined) await ctx.unguarded.deleteFrom('uploads').where('name', '=', name).execute()
  else await rm(path, { force: true })
}

/** Longer than a file takes to arrive. */
const orphanMs = dayMs

/** Removes files that no job waits for: those of a process that was killed while it received them. */
export async function removeOrphans(ctx: Surroundings): Promise<void> {
  const rows = await ctx.unguarded.selectFrom('jobs').select('options').where(isWaiting).execute()
  const used = new Set(rows.map(({ options }) => (JSON.parse(options) as { upload?: string }).upload))
  for (const name of await findOld(ctx)) if (!used.has(name)) await removeUpload(ctx, name)
}

async function findOld(ctx: Surroundings): Promise<string[]> {
  const limit = ctx.clock().getTime() - orphanMs
  const { database } = ctx.config
  if (database.kind !== 'sqlite') {
    const found = ctx.unguarded.selectFrom('uploads').select('name').where('part', '=', 0)
    return (await found.where('created_ms', '<', limit).execute()).map(({ name }) => name)
  }
  const folder = `${database.path}-uploads`
  const names = await readdir(folder).catch(() => [])
  const old: string[] = []
  for (const name of names) {
    const file = await stat(join(folder, name)).catch(() => undefined)
    if (file !== undefined && file.mtimeMs < limit) old.push(name)
  }
  return old
}
